// The game as text: indented variations that fold, comments in full. Only a window of it is in the page.

import { post } from "./api";
import type { Block, Folds, Notation, NotationMove } from "./api";
import { button, count, h, replace, reveal } from "./dom";
import { openMoveMenu } from "./menu";
import type { Session } from "./session";
import type { View } from "./view";

const CHUNK = 60;
/** More blocks than this are dropped at the far end. */
const MOST = 300;

export interface NotationView extends View {
  foldCurrent(): void;
  foldAll(): void;
}

export function notationView(session: Session): NotationView {
  const folds: Folds = { all: null, closed: [], open: [] };
  const text = h("div.blocks");
  const earlier = button("Earlier moves", "show earlier moves", () => void extend(-1));
  const later = button("Later moves", "show later moves", () => void extend(1));
  const element = h("div.notation", { tabindex: "0", role: "region", "aria-label": "Notation" }, earlier, text, later);
  let shown: Notation | null = null;
  let busy = false;
  let turns = 0;

  const watcher = new IntersectionObserver(
    (entries) =>
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => (entry.target as HTMLElement).click()),
    { root: element, rootMargin: "200px" },
  );
  watcher.observe(earlier);
  watcher.observe(later);

  function fetchBlocks(from: number | null, size: number): Promise<Notation> {
    const { game, node } = session.position;
    return post<Notation>("notation", { game, node, from: from ?? undefined, count: size, folds });
  }

  /** One chunk more at an end, without moving what is in sight. */
  async function extend(direction: number): Promise<void> {
    if (!shown || busy) return;
    busy = true;
    await session.attempt(async () => {
      const known = shown!;
      const end = known.from + known.blocks.length;
      const from = direction > 0 ? end : Math.max(0, known.from - CHUNK);
      const more = await fetchBlocks(from, direction > 0 ? CHUNK : known.from - from);
      const all = direction > 0 ? [...known.blocks, ...more.blocks] : [...more.blocks, ...known.blocks];
      const dropped = direction > 0 ? Math.max(0, all.length - MOST) : 0;
      shown = {
        ...known,
        total: more.total,
        from: Math.min(from, known.from) + dropped,
        blocks: all.slice(dropped, dropped + MOST),
      };
      keepInPlace(draw);
    });
    busy = false;
  }

  /** Draws anew, with the first move in sight at the same height as before. */
  function keepInPlace(action: () => void): void {
    const top = element.getBoundingClientRect().top;
    const anchor = [...text.querySelectorAll(".move")].find((move) => move.getBoundingClientRect().top >= top);
    const before = anchor?.getBoundingClientRect().top ?? 0;
    action();
    const after =
      anchor && text.querySelector(`[data-node="${anchor.getAttribute("data-node")}"]`)?.getBoundingClientRect().top;
    if (after !== undefined) element.scrollTop += after - before;
  }

  /** The window around the current move, or the same window again if it contains that move. */
  async function reload(): Promise<void> {
    const turn = ++turns;
    await session.attempt(async () => {
      const answer = await fetchBlocks(null, CHUNK * 2);
      // Answers can overtake one another.
      if (turn !== turns) return;
      shown = answer;
      draw();
      reveal(markCurrent(), element);
    });
  }

  function draw(): void {
    if (!shown) return;
    replace(text, ...shown.blocks.map(blockOf));
    earlier.hidden = shown.from === 0;
    later.hidden = shown.from + shown.blocks.length >= shown.total;
    markCurrent();
  }

  function markCurrent(): Element | null {
    text.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const move = text.querySelector(`[data-node="${session.position.node}"]`);
    move?.setAttribute("aria-current", "true");
    return move;
  }

  function blockOf(block: Block): HTMLElement {
    const indent = { class: `depth-${Math.min(block.depth, 8)}` };
    switch (block.kind) {
      case "moves":
        return h("p.moves", indent, block.opens !== null && foldSign(block.opens, true), ...block.moves.map(moveOf));
      case "text":
        return h("p.text", indent, block.text);
      case "folded":
        return h(
          "p.folded",
          indent,
          foldSign(block.node, false),
          moveButton(block.node, block.text),
          h("small", {}, ` ${count(block.lines, "line")}`),
        );
    }
  }

  function moveOf(move: NotationMove): HTMLElement {
    return h(
      "span",
      {},
      moveButton(move.node, move.number + move.san + move.glyphs),
      move.comment && h("span.text", {}, move.comment + " "),
    );
  }

  function moveButton(node: number, label: string): HTMLElement {
    return h(
      "button.move",
      {
        type: "button",
        "data-node": node,
        onclick: () => void session.go(session.position.game, { node }),
        oncontextmenu: (event: MouseEvent) => openMoveMenu(session, node, event),
      },
      label,
    );
  }

  function foldSign(node: number, open: boolean): HTMLElement {
    return button(open ? "▾" : "▸", open ? "fold this variation" : "unfold this variation", () => fold(node, open), {
      class: "fold",
      "aria-expanded": open ? "true" : "false",
    });
  }

  function fold(node: number, close: boolean): void {
    folds.open = folds.open.filter((known) => known !== node);
    folds.closed = folds.closed.filter((known) => known !== node);
    (close ? folds.closed : folds.open).push(node);
    void reload();
  }

  /** The first node of the variation with the current move, as far as it is in the page. */
  function currentVariation(): number | null {
    const at =
      shown?.blocks.findIndex(
        (block) => block.kind === "moves" && block.moves.some((move) => move.node === session.position.node),
      ) ?? -1;
    const depth = shown?.blocks[at]?.depth ?? 0;
    for (let index = at; index >= 0; index -= 1) {
      const block = shown!.blocks[index]!;
      if (block.kind === "moves" && block.depth === depth && block.opens !== null) return block.opens;
    }
    return null;
  }

  return {
    name: "Notation",
    element,
    topics: ["position", "game"],
    update(topic) {
      const { rev, game, node } = session.position;
      const current = shown?.rev === rev && element.dataset["game"] === String(game);
      element.dataset["game"] = String(game);
      if (topic === "game") folds.all = null;
      const move = current ? markCurrent() : null;
      const atStart = current && node === 0 && shown?.from === 0;
      if (atStart) element.scrollTop = 0;
      else if (move) reveal(move, element);
      else void reload();
    },
    foldCurrent() {
      const node = currentVariation();
      if (node !== null) fold(node, true);
    },
    foldAll() {
      folds.all = folds.all !== true;
      folds.open = [];
      folds.closed = [];
      void reload();
    },
  };
}
