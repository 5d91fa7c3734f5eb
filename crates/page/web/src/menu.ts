// The menu of a move: everything that rearranges, cuts or deletes it.

import { get } from "./api";
import { h } from "./dom";
import { askText } from "./dialog";
import type { Session } from "./session";

interface Entry {
  label: string;
  key?: string;
  /** Without a node: on the current move. */
  run: (session: Session, node?: number) => void;
}

const verb = (name: string) => (session: Session, node?: number) => void session.edit(name, "", node);
const clip = (route: string) => (session: Session, node?: number) =>
  void session.change(route, (at) => ({ game: at.game, node: node ?? at.node }));

const ENTRIES: (Entry | null)[] = [
  { label: "Move up", key: "+", run: verb("promote") },
  { label: "Move down", key: "-", run: verb("demote") },
  { label: "Make first here", key: "*", run: verb("first") },
  { label: "Make the whole path the mainline", key: "M", run: verb("main") },
  null,
  { label: "Cut", key: "x", run: clip("cut") },
  { label: "Copy", key: "y", run: clip("copy") },
  { label: "Paste here", key: "v", run: clip("paste") },
  { label: "Paste PGN or FEN…", run: (session, node) => void pastePgn(session, node) },
  { label: "Copy as PGN", run: (session, node) => void copyPgn(session, node) },
  null,
  { label: "Bring all move orders here", key: "T", run: verb("bring") },
  { label: "Merge equal moves", run: verb("merge-duplicates") },
  { label: "Split into a new chapter", run: verb("chapter-split") },
  null,
  { label: "Delete from here", key: "Delete", run: verb("delete") },
  { label: "Delete what follows", run: verb("delete-after") },
  { label: "Delete this variation", run: verb("delete-variation") },
  { label: "Delete the alternatives", run: verb("delete-others") },
  { label: "Keep only this line", run: verb("keep-line") },
  { label: "Keep only this subtree", run: verb("keep-only") },
];

/** Opens the menu at the pointer, or below the element with the focus. */
export function openMoveMenu(session: Session, node: number, event: MouseEvent): void {
  event.preventDefault();
  document.querySelector(".menu")?.remove();
  const back = document.activeElement as HTMLElement | null;
  const items = ENTRIES.map((entry) => (entry ? item(entry) : h("hr", { role: "separator" })));
  const menu = h("div.menu", { role: "menu", popover: "auto", "aria-label": "Move", onkeydown: moveFocus }, ...items);
  function item(entry: Entry): HTMLElement {
    const run = () => {
      menu.hidePopover();
      entry.run(session, node);
    };
    return h(
      "button",
      { type: "button", role: "menuitem", onclick: run },
      entry.label,
      entry.key && h("kbd", { "aria-hidden": true }, entry.key),
    );
  }
  menu.addEventListener("toggle", (change) => {
    if ((change as ToggleEvent).newState !== "closed") return;
    menu.remove();
    back?.focus();
  });
  document.body.append(menu);
  menu.showPopover();
  place(menu, event);
  menu.querySelector("button")?.focus();
}

/** Runs the entry with this key on the current move; false if there is none. */
export function runKey(session: Session, key: string): boolean {
  const entry = ENTRIES.find((candidate) => candidate?.key === key);
  entry?.run(session);
  return entry !== undefined;
}

function place(menu: HTMLElement, event: MouseEvent): void {
  const anchor = (event.currentTarget as Element).getBoundingClientRect();
  // A keyboard makes clicks without coordinates.
  const [x, y] = event.clientX || event.clientY ? [event.clientX, event.clientY] : [anchor.left, anchor.bottom];
  const box = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(x, innerWidth - box.width - 8))}px`;
  menu.style.top = `${Math.max(0, Math.min(y, innerHeight - box.height - 8))}px`;
}

function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const items = [...(event.currentTarget as Element).querySelectorAll("button")];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  items[(at + step + items.length) % items.length]?.focus();
  event.preventDefault();
}

async function pastePgn(session: Session, node?: number): Promise<void> {
  const text = await askText({
    title: "Paste PGN or FEN",
    label: "Several games become chapters",
    lines: 10,
    draft: "paste-pgn",
  });
  if (text) await session.change("paste-pgn", (at) => ({ game: at.game, node: node ?? at.node, text }));
}

async function copyPgn(session: Session, node = session.position.node): Promise<void> {
  await session.attempt(async () => {
    const { pgn } = await get<{ pgn: string }>("pgn", { game: session.position.game, node });
    await navigator.clipboard.writeText(pgn);
    session.note("copied the line and everything after it as PGN");
  });
}
