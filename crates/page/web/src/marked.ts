// A text field in which words can be underlined: a layer behind it repeats its text with marks.

import { keepDraft } from "./draft";
import { h, replace } from "./dom";
import type { Child } from "./dom";

export interface Mark {
  start: number;
  end: number;
  warning: boolean;
}

export class MarkedField {
  readonly element: HTMLElement;
  readonly field: HTMLTextAreaElement;
  private readonly layer = h("div.layer", { "aria-hidden": "true" });

  constructor(label: string, lines: number, draft: string) {
    this.field = h("textarea", {
      rows: lines,
      "aria-label": label,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
    });
    keepDraft(this.field, draft);
    this.element = h("div.marked", {}, this.layer, this.field);
    this.field.addEventListener("scroll", () => (this.layer.scrollTop = this.field.scrollTop));
    this.field.addEventListener("input", () => this.mark([]));
  }

  mark(marks: Mark[]): void {
    const text = this.field.value;
    const parts: Child[] = [];
    let done = 0;
    for (const { start, end, warning } of [...marks].sort((a, b) => a.start - b.start)) {
      if (start < done) continue;
      // A fault at the end of the text marks the place behind it.
      const word = text.slice(start, Math.max(end, start + 1)) || " ";
      parts.push(text.slice(done, start), h(warning ? "mark.warning" : "mark", {}, word));
      done = start + word.length;
    }
    replace(this.layer, ...parts, text.slice(done), "\n");
    this.field.setAttribute("aria-invalid", String(marks.some((mark) => !mark.warning)));
  }

  /** Replaces a part of the text as if it were typed. */
  insert(start: number, end: number, text: string): void {
    this.field.setRangeText(text, start, end, "end");
    this.field.dispatchEvent(new Event("input"));
  }

  /** The place of a character, relative to the element. */
  placeOf(offset: number): { left: number; top: number } {
    const text = this.field.value;
    const anchor = h("span");
    const ruler = h("div.layer", {}, text.slice(0, offset), anchor, text.slice(offset) + "\n");
    this.element.append(ruler);
    const place = { left: anchor.offsetLeft, top: anchor.offsetTop + anchor.offsetHeight - this.field.scrollTop };
    ruler.remove();
    return place;
  }
}
