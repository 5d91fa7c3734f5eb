// The variations table: the line, and beside each move its alternatives with the lines below them.

import { get } from "./api";
import type { Cell, Position, TableRow } from "./api";
import { button, count, h, replace, reveal } from "./dom";
import { openMoveMenu } from "./menu";
import type { Session } from "./session";
import type { View } from "./view";

export interface TableView extends View {
  /** Switches between the moves of this game and positions over all chapters. */
  toggleMode(): void;
}

const MODE = "positions mode";

export function tableView(session: Session): TableView {
  const body = h("tbody");
  const joined = h("input", {
    type: "checkbox",
    checked: localStorage.getItem(MODE) === "on",
    onchange: () => switchMode(),
  });
  const mode = h(
    "label.mode",
    { title: "each position once: the moves of all chapters that reach it (J)" },
    joined,
    " positions of all chapters",
  );
  let table: Position["table"] | null = null;
  let request = new AbortController();
  const earlier = button("Earlier moves", "show earlier moves", () => void page(-1));
  const later = button("Later moves", "show later moves", () => void page(1));
  const element = h(
    "div.table-view",
    {},
    mode,
    earlier,
    h(
      "table.variations",
      { "aria-label": "Variations" },
      h(
        "thead",
        {},
        h("tr", {}, h("th", {}, "#"), h("th", {}, "White"), h("th", {}, "Black"), h("th", {}, "Alternatives")),
      ),
      body,
    ),
    later,
  );

  function switchMode(): void {
    localStorage.setItem(MODE, joined.checked ? "on" : "off");
    void load();
  }

  /** The rows from one on, or around the current move; those of the game come with its position. */
  async function load(from?: number): Promise<void> {
    const { game, node, line_end: line } = session.position;
    request.abort();
    request = new AbortController();
    const { signal } = request;
    if (!joined.checked && from === undefined) {
      table = session.position.table;
      return show();
    }
    await session.attempt(async () => {
      const route = joined.checked ? "positions" : "position";
      const found = await get<{ table: Position["table"] }>(route, { game, node, line, from, rows: 60 }, signal);
      table = found.table;
      show();
    });
  }

  async function page(direction: number): Promise<void> {
    if (table) await load(Math.max(0, table.from + direction * 60));
  }

  function show(): void {
    if (!table) return;
    const { node } = session.position;
    replace(body, ...table.rows.map((row) => rowOf(session, row, node)));
    earlier.hidden = table.from === 0;
    later.hidden = table.from + table.rows.length >= table.total;
    if (element.parentElement) reveal(body.querySelector("[aria-current]"), element.parentElement);
  }

  return {
    name: "Table",
    element,
    topics: ["position", "games"],
    update() {
      // One game has nothing to be joined with, and an archive has too much.
      mode.hidden = session.state.games < 2 || session.state.archive !== null;
      if (mode.hidden) joined.checked = false;
      void load();
    },
    toggleMode() {
      if (mode.hidden) return session.note("there is one game only");
      joined.checked = !joined.checked;
      switchMode();
    },
  };
}

function rowOf(session: Session, row: TableRow, current: number): HTMLElement {
  const side = (cell: Cell | null, rest: string) =>
    h("td", {}, cell ? cellOf(session, cell, current) : h("span.dots", {}, rest));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, row.number),
    side(row.first, row.second ? "…" : ""),
    side(row.second, row.first ? "…" : ""),
    h(
      "td.alternatives",
      {},
      ...row.alternatives.map((cell) => cellOf(session, cell, current)),
      row.more > 0 && h("span.more", {}, `+${row.more}`),
    ),
  );
}

function cellOf(session: Session, cell: Cell, current: number): HTMLElement {
  // In positions mode a cell names a place of its own.
  const game = cell.game ?? session.position.game;
  const elsewhere = game !== session.position.game;
  const here = cell.current ?? cell.node === current;
  const open = () =>
    void (elsewhere ? session.jump(game, { node: cell.node }) : session.go(game, { node: cell.node }));
  const marks = (cell.transposes ? "=" : "") + (cell.comment ? "”" : "");
  const about = [
    cell.lines > 0 && count(cell.lines, "line"),
    cell.transposes && "transposes",
    cell.comment && "has a comment",
    elsewhere && `in game ${game + 1}`,
  ];
  const matches = cell.matches ? ".matches" : cell.matches_below ? ".matches-below" : "";
  const element = h(
    `button.move.choice-${cell.choice % 6}${matches}`,
    {
      type: "button",
      title: about.filter(Boolean).join(", "),
      "aria-current": here ? "true" : null,
      onclick: open,
      oncontextmenu: (event: MouseEvent) => !elsewhere && openMoveMenu(session, cell.node, event),
    },
    cell.label && h("span.label", { "aria-hidden": true }, cell.label),
    h("span.san", {}, cell.san + cell.glyphs),
    elsewhere && h("span.elsewhere", { "aria-hidden": true }, `${game + 1}`),
    marks && h("span.marks", { "aria-hidden": true }, marks),
    cell.ends ? cell.result && h("span.lines", {}, cell.result) : h("span.lines", {}, cell.lines),
  );
  return element;
}
