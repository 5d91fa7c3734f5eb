// The board: play by drag, click or touch, choose a promotion, draw arrows and circles, flip.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Dests, Key } from "@lichess-org/chessground/types";
import type { Legal, Position, Shape } from "./api";
import { button, h, replace } from "./dom";
import type { Session } from "./session";

const PROMOTIONS: [letter: string, name: string][] = [
  ["q", "queen"],
  ["r", "rook"],
  ["b", "bishop"],
  ["n", "knight"],
  ["k", "king"],
];

export class Board {
  readonly element: HTMLElement;
  private readonly surface = h("div.surface", { role: "img", "aria-label": "Board" });
  private readonly chooser = h("div.promotion", { role: "group", "aria-label": "Promote to", hidden: true });
  private readonly ground: Api;
  private shapes: Shape[] = [];
  /** The position that was shown last. */
  private fen = "";
  private path = "";

  constructor(private readonly session: Session) {
    this.element = h("div.board", {}, this.surface, this.chooser);
    this.ground = Chessground(this.surface, {
      animation: { duration: 150, enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches },
      movable: { free: false, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      drawable: { eraseOnMovablePieceClick: false, onChange: (shapes) => void this.drawn(shapes) },
    });
    this.flipTo((localStorage.getItem("orientation") as "white" | "black" | null) ?? "white");
    new ResizeObserver(() => this.ground.redrawAll()).observe(this.surface);
    // What stands above the board may have grown: its place is measured again before it is touched.
    for (const start of ["touchstart", "mousedown"]) {
      const measure = () => this.ground.state.dom.bounds.clear();
      this.surface.addEventListener(start, measure, { capture: true, passive: true });
    }
    this.surface.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    session.on("position", () => this.follow(session.position));
  }

  flip(): void {
    this.flipTo(this.ground.state.orientation === "white" ? "black" : "white");
  }

  /** The wheel steps, as on Lichess; with Ctrl it zooms the page. */
  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    if (this.session.busy) return;
    if (event.deltaY > 0) this.session.next();
    else this.session.previous();
  }

  private flipTo(side: "white" | "black"): void {
    this.ground.set({ orientation: side });
    localStorage.setItem("orientation", side);
  }

  /** The same position arrives again after a change elsewhere: a promotion being chosen stays open. */
  private follow(position: Position): void {
    const isSame = position.fen === this.fen && position.path === this.path;
    if (this.chooser.hidden || !isSame) this.show(position);
  }

  private show(position: Position): void {
    [this.fen, this.path] = [position.fen, position.path];
    // Its size was not known when it was made.
    if (this.ground.state.dom.bounds().width === 0) this.ground.redrawAll();
    this.chooser.hidden = true;
    this.shapes = position.shapes;
    const { readOnly } = this.session;
    this.ground.set({
      fen: position.fen,
      turnColor: position.turn,
      check: position.check,
      lastMove: position.last ? squares(position.last.uci) : [],
      movable: { color: position.turn, dests: destinations(position.legal) },
      drawable: { enabled: !readOnly, shapes: position.shapes.map(toDrawn) },
    });
    this.surface.setAttribute("aria-label", `Board after ${position.path || "the start"}. ${position.fen}`);
  }

  private moved(from: Key, to: Key): void {
    const moves = this.session.position.legal.filter((move) => move.uci.slice(0, 4) === from + to);
    if (moves.length === 1) void this.play(moves[0]!.uci);
    else this.choosePromotion(moves, to);
  }

  private async play(uci: string): Promise<void> {
    if (!(await this.session.play({ uci }))) this.show(this.session.position);
  }

  private choosePromotion(moves: Legal[], to: Key): void {
    const { turn } = this.session.position;
    const choices = PROMOTIONS.filter(([letter]) => moves.some((move) => move.uci[4] === letter)).map(
      ([letter, name]) =>
        button(h(`piece.${turn}.${name}`), name, () => void this.play(moves[0]!.uci.slice(0, 4) + letter)),
    );
    const cancel = button("×", "cancel", () => this.show(this.session.position));
    replace(this.chooser, ...choices, cancel);
    const file = to.charCodeAt(0) - 97;
    const column = this.ground.state.orientation === "white" ? file : 7 - file;
    this.chooser.style.left = `${column * 12.5}%`;
    const atTop = (to[1] === "8") === (this.ground.state.orientation === "white");
    this.chooser.classList.toggle("from-bottom", !atTop);
    this.chooser.hidden = false;
    this.chooser.querySelector("button")?.focus();
  }

  /** Sends the difference between the shapes drawn and those in the file; each edit toggles one. */
  private async drawn(shapes: DrawShape[]): Promise<void> {
    const now = shapes.map(fromDrawn);
    const has = (list: Shape[], shape: Shape) =>
      list.some((other) => same(other, shape) && other.color === shape.color);
    const added = now.filter((shape) => !has(this.shapes, shape));
    // A shape in another colour replaces the one it covers.
    const removed = this.shapes.filter((shape) => !now.some((other) => same(other, shape)));
    for (const { from, to, color } of [...added, ...removed]) {
      if (to) await this.session.edit("arrow", `${color} ${from}${to}`);
      else await this.session.edit("square", `${color} ${from}`);
    }
  }
}

/** A small board without interaction, for lists. */
export function miniBoard(fen: string, last: string | null): HTMLElement {
  const board = h("cg-board");
  if (last) for (const square of squares(last)) board.append(at(h("square.last-move"), square));
  let [file, rank] = [0, 8];
  for (const letter of fen.split(" ")[0]!.split("[")[0]!) {
    const name = ROLES[letter.toLowerCase()];
    if (letter === "/") [file, rank] = [0, rank - 1];
    else if (name) {
      const color = letter === letter.toLowerCase() ? "black" : "white";
      board.append(at(h(`piece.${color}.${name}`), String.fromCharCode(97 + file) + rank));
      file += 1;
    } else if (letter !== "~") file += Number(letter) || 0;
  }
  return h("div.mini.cg-wrap", { "aria-hidden": "true" }, h("cg-container", {}, board));
}

const ROLES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

function at(element: HTMLElement, square: string): HTMLElement {
  element.style.transform = `translate(${(square.charCodeAt(0) - 97) * 100}%, ${(8 - Number(square[1])) * 100}%)`;
  return element;
}

function squares(uci: string): Key[] {
  // A drop (`N@f3`) has one square.
  return uci[1] === "@" ? [uci.slice(2, 4) as Key] : [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}

function destinations(legal: Legal[]): Dests {
  const dests: Dests = new Map();
  for (const { uci } of legal) {
    if (uci[1] === "@") continue;
    const [from, to] = squares(uci);
    dests.set(from!, [...(dests.get(from!) ?? []), to!]);
  }
  return dests;
}

function toDrawn(shape: Shape): DrawShape {
  const drawn: DrawShape = { orig: shape.from as Key, brush: shape.color };
  if (shape.to) drawn.dest = shape.to as Key;
  return drawn;
}

function fromDrawn(shape: DrawShape): Shape {
  return { from: shape.orig, to: shape.dest ?? null, color: shape.brush ?? "green" };
}

function same(a: Shape, b: Shape): boolean {
  return a.from === b.from && a.to === b.to;
}
