// The keys, as on Lichess and in the terminal explorer, and the help that lists them.

import { showDialog } from "./dialog";
import { h } from "./dom";

export interface Key {
  /** Names as in `KeyboardEvent.key`, with `Shift-` and `Ctrl-` before them. */
  keys: string[];
  action: string;
  run: () => void;
}

/** A key held down repeats only while the page is not `busy`: steps do not pile up. */
export function listenToKeys(keys: Key[], busy: () => boolean): void {
  const byName = new Map(keys.flatMap((key) => key.keys.map((name) => [name, key] as const)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open], .menu"))
      return;
    const name = nameOf(event);
    if (isField(event.target) && name !== "Ctrl-s") return;
    const key = byName.get(name);
    if (!key) return;
    event.preventDefault();
    if (!event.repeat || !busy()) key.run();
  });
}

export function showKeys(keys: Key[]): void {
  const rows = keys.map((key) =>
    h("tr", {}, h("td", {}, ...key.keys.map((name) => h("kbd", {}, SYMBOLS[name] ?? name))), h("td", {}, key.action)),
  );
  const mouse: [string, string][] = [
    ["drag, click", "play a move"],
    ["wheel on the board", "next and previous move"],
    ["right button", "draw an arrow or a circle; Shift red, Alt blue, both yellow"],
    ["right button on a move", "menu: promote, cut, delete and more"],
  ];
  const more = mouse.map(([gesture, action]) => h("tr", {}, h("td", {}, gesture), h("td", {}, action)));
  showDialog("Keys", h("table.keys", {}, h("tbody", {}, ...rows, ...more)));
}

const SYMBOLS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  "Shift-ArrowLeft": "Shift ←",
  "Shift-ArrowRight": "Shift →",
  "Ctrl-ArrowLeft": "Ctrl ←",
};

function nameOf(event: KeyboardEvent): string {
  if (event.ctrlKey) return `Ctrl-${event.key}`;
  // A shifted character is a character of its own; a shifted arrow is not.
  return event.shiftKey && event.key.length > 1 ? `Shift-${event.key}` : event.key;
}

/** Keys typed into a field, or used by a control, are not commands. */
function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [role=tablist], .own-keys") !== null;
}
