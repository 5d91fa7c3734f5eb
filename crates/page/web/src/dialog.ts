// Dialogs that ask for a text or a decision.

import { dropDraft, keepDraft } from "./draft";
import { h } from "./dom";
import type { Child } from "./dom";

interface Question {
  title: string;
  label: string;
  value?: string;
  /** More than one line: a text area. */
  lines?: number;
  /** Keeps the text under this name until it is confirmed or cancelled. */
  draft?: string;
}

/** The text, or null if cancelled. */
export function askText(question: Question): Promise<string | null> {
  const { title, label, value = "", lines = 1, draft } = question;
  const field = lines > 1 ? h("textarea", { rows: lines, spellcheck: "false" }) : h("input", { type: "text" });
  field.value = value;
  if (draft) keepDraft(field, draft);
  const form = h("form", { method: "dialog" }, h("label", {}, label, field));
  return open(title, form, "OK").then((confirmed) => {
    if (draft) dropDraft(draft);
    return confirmed ? field.value : null;
  });
}

export function confirmed(title: string, text: string, action: string): Promise<boolean> {
  return open(title, h("form", { method: "dialog" }, h("p", {}, text)), action);
}

export function showDialog(title: string, ...content: Child[]): void {
  void open(title, h("form", { method: "dialog" }, ...content), null);
}

function open(title: string, form: HTMLFormElement, action: string | null): Promise<boolean> {
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  form.prepend(heading);
  form.append(
    h(
      "div.actions",
      {},
      h("button", { type: "submit", value: "cancel", formnovalidate: true }, action ? "Cancel" : "Close"),
      action && h("button.primary", { type: "submit", value: "ok" }, action),
    ),
  );
  // Enter in a one-line field confirms, though Cancel is the first button.
  form.addEventListener("keydown", (event) => {
    const wanted = event.key === "Enter" && (event.target instanceof HTMLInputElement || event.ctrlKey);
    if (!wanted || !action) return;
    event.preventDefault();
    dialog.close("ok");
  });
  document.body.append(dialog);
  dialog.showModal();
  (form.querySelector("input, textarea, .primary") as HTMLElement | null)?.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "ok");
    });
  });
}
