// The variations table: the line, and beside each move its alternatives with the lines below them.

import { get } from "./api";
import type { Cell, Position, TableRow } from "./api";
import { button, count, h, replace, reveal } from "./dom";
import { openMoveMenu } from "./menu";
import type { Session } from "./session";
import type { View } from "./view";

export function tableView(session: Session): View {
  const body = h("tbody");
  const earlier = button("Earlier moves", "show earlier moves", () => void page(-1));
  const later = button("Later moves", "show later moves", () => void page(1));
  const element = h(
    "div.table-view",
    {},
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

  async function page(direction: number): Promise<void> {
    const { table, game, node, line_end: line } = session.position;
    const from = Math.max(0, table.from + direction * 60);
    await session.attempt(async () => {
      const position = await get<Position>("position", { game, node, line, from, rows: 60 });
      session.position.table = position.table;
      show();
    });
  }

  function show(): void {
    const { table, node } = session.position;
    replace(body, ...table.rows.map((row) => rowOf(session, row, node)));
    earlier.hidden = table.from === 0;
    later.hidden = table.from + table.rows.length >= table.total;
    if (element.parentElement) reveal(body.querySelector("[aria-current]"), element.parentElement);
  }

  return { name: "Table", element, topics: ["position"], update: show };
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
  const { game } = session.position;
  const marks = (cell.transposes ? "=" : "") + (cell.comment ? "”" : "");
  const about = [
    cell.lines > 0 && count(cell.lines, "line"),
    cell.transposes && "transposes",
    cell.comment && "has a comment",
  ];
  const matches = cell.matches ? ".matches" : cell.matches_below ? ".matches-below" : "";
  const element = h(
    `button.move.choice-${cell.choice % 6}${matches}`,
    {
      type: "button",
      title: about.filter(Boolean).join(", "),
      "aria-current": cell.node === current ? "true" : null,
      onclick: () => void session.go(game, { node: cell.node }),
      oncontextmenu: (event: MouseEvent) => openMoveMenu(session, cell.node, event),
    },
    cell.label && h("span.label", { "aria-hidden": true }, cell.label),
    h("span.san", {}, cell.san + cell.glyphs),
    marks && h("span.marks", { "aria-hidden": true }, marks),
    cell.ends ? cell.result && h("span.lines", {}, cell.result) : h("span.lines", {}, cell.lines),
  );
  return element;
}
