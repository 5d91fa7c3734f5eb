// The board of a component of a sum: drawn, edited cell by cell, with moves shown on it.

import type { Component } from "./api";
import { h } from "./dom";

/** Cells that a move names, such as `a1-a2` on a board or `2-3` on a strip. */
export function cellsOf(move: string, component: Component): [row: number, column: number][] {
  const text = move.replace(/^\d+:/, "");
  if (component.strip) return [...text.matchAll(/\d+/g)].map((cell) => [0, Number(cell[0]) - 1]);
  return [...text.matchAll(/([a-z]+)(\d+)/g)].map((cell) => [Number(cell[2]) - 1, columnOf(cell[1]!)]);
}

/** `a` is 0, `z` is 25, `aa` is 26. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 96;
  return column - 1;
}

interface GridOptions {
  /** Called with the new rows when a cell is clicked; without it the board is a picture. */
  edit?: (rows: string[]) => void;
  /** Cells to highlight. */
  lit?: [row: number, column: number][];
}

const NAMES: Record<string, string> = { ".": "empty", X: "black", O: "white", "#": "blocked" };

export function gridOf(component: Component, options: GridOptions = {}): HTMLElement {
  const rows = component.rows;
  if (!rows) return h("span.value", {}, component.text);
  const lit = new Set(options.lit?.map((cell) => cell.join()));
  const cells = rows.flatMap((row, y) => [...row].map((symbol, x) => cellOf(symbol, x, y)));
  const columns = Math.max(1, ...rows.map((row) => row.length));

  function cellOf(symbol: string, x: number, y: number): HTMLElement {
    const name = `${component.strip ? x + 1 : columnName(x) + (y + 1)} ${NAMES[symbol] ?? symbol}`;
    const look = `cell ${NAMES[symbol] ?? "other"}${lit.has(`${y},${x}`) ? " lit" : ""}`;
    const text = NAMES[symbol] ? "" : symbol;
    if (!options.edit) return h("span", { class: look, title: name }, text);
    return h(
      "button",
      {
        type: "button",
        class: look,
        "aria-label": name,
        onclick: () => options.edit!(changed(rows!, x, y, following(component.game, symbol))),
      },
      text,
    );
  }

  const grid = h("div.grid", { role: "group", "aria-label": `${component.game} ${rows.join("|")}` }, ...cells);
  grid.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
  grid.style.setProperty("--columns", String(columns));
  return grid;
}

function columnName(x: number): string {
  const last = String.fromCharCode(97 + (x % 26));
  return x < 26 ? last : columnName(Math.floor(x / 26) - 1) + last;
}

function changed(rows: string[], x: number, y: number, symbol: string): string[] {
  return rows.map((row, index) => (index === y ? row.slice(0, x) + symbol + row.slice(x + 1) : row));
}

/** A click gives the next symbol that the game knows. */
function following(game: string, symbol: string): string {
  const symbols = symbolsOf(game);
  return symbols[(symbols.indexOf(symbol) + 1) % symbols.length]!;
}

export function symbolsOf(game: string): string {
  if (game.endsWith("domineering")) return ".#";
  if (game.endsWith("fission")) return ".X#";
  if (game.endsWith("toppling_dominoes")) return "XO#";
  if (/nogo$|amazons$|gen_king_dirt$/.test(game)) return ".XO#";
  return ".XO";
}

/** A component as it is written in a sum. */
export function written({ game, text }: Pick<Component, "game" | "text">): string {
  // Values are written by themselves.
  if (game === "explicit") return text;
  return `${game} ${text.includes(" ") ? `(${text})` : text}`;
}

/** The component with other rows: everything but its cells stays. */
export function withRows(component: Component, rows: string[]): Component {
  return { ...component, text: component.text.replace(component.rows!.join("|"), rows.join("|")) };
}
