// Tabs with the keys that the ARIA practices give them; only the visible view is kept up to date.

import { h } from "./dom";
import type { Session, Topic } from "./session";
import type { View } from "./view";

export class Tabs {
  readonly bar = h("div.tabs", { role: "tablist", "aria-label": "Views" });
  readonly panel = h("div.panel", { role: "tabpanel", tabindex: "-1" });
  private readonly tabs = new Map<View, HTMLButtonElement>();
  private current: View | null = null;

  constructor(
    session: Session,
    private readonly views: View[],
    private readonly chosen: (view: View) => void,
  ) {
    for (const view of views) {
      const tab = h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${view.name}`,
          onclick: (event: MouseEvent) => this.choose(view, event),
        },
        view.name,
      );
      this.tabs.set(view, tab);
      this.bar.append(tab);
    }
    this.bar.addEventListener("keydown", (event) => this.moveFocus(event));
    for (const topic of ["position", "game", "games", "files", "job"] satisfies Topic[]) {
      session.on(topic, (detail) => {
        if (this.current?.topics.includes(topic)) this.current.update(topic, detail);
      });
    }
  }

  get name(): string {
    return this.current?.name ?? "";
  }

  showNamed(name: string): void {
    const view = this.views.find((candidate) => candidate.name === name && !this.tabs.get(candidate)!.hidden);
    this.show(view ?? this.views[0]!);
  }

  /** A view that has a place of its own needs no tab. */
  setHidden(view: View, hidden: boolean): void {
    this.tabs.get(view)!.hidden = hidden;
    if (hidden && this.current === view) this.show(this.views[0]!);
  }

  private choose(view: View, event: MouseEvent): void {
    this.show(view);
    // After a click with the pointer the arrow keys step through moves again, not through tabs.
    if (event.detail > 0) this.panel.focus();
  }

  private show(view: View): void {
    this.current = view;
    for (const [other, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(other === view));
      tab.tabIndex = other === view ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${view.name}`);
    this.panel.replaceChildren(view.element);
    view.update("shown");
    this.chosen(view);
  }

  private moveFocus(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const tabs = [...this.tabs.values()].filter((tab) => !tab.hidden);
    const next = tabs[(tabs.indexOf(document.activeElement as HTMLButtonElement) + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  }
}
