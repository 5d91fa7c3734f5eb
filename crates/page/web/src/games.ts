// The list of chapters and games with columns, sort and search; and the tags of the current one.

import { get } from "./api";
import type { GameRow, Window } from "./api";
import { askText, confirmed } from "./dialog";
import { button, count, debounce, h, replace } from "./dom";
import type { Session } from "./session";
import type { View } from "./view";
import { WindowedList } from "./windowed";

const COLUMNS: [sort: string, title: string][] = [
  ["number", "No."],
  ["white", "White"],
  ["black", "Black"],
  ["result", "Result"],
  ["ratings", "Ratings"],
  ["date", "Date"],
  ["opening", "Opening"],
  ["moves", "Moves"],
];

export function gamesView(session: Session): View {
  let sort = "number";
  let reverse = false;
  const search = h("input", { type: "search", placeholder: "words in the tags", "aria-label": "Search games" });
  const heads = h("div.game-row.heads", { role: "group", "aria-label": "Sort by" });
  const tags = h("div.tags");
  const list = new WindowedList<GameRow>({
    label: "Games",
    height: 32,
    empty: "No game has these words in its tags.",
    fetch: (from, size) =>
      get<Window<GameRow>>("games", { from, count: size, sort, reverse: reverse ? 1 : null, search: search.value }),
    render: (row) => gameRow(session, row, reload),
  });
  search.addEventListener(
    "input",
    debounce(150, () => reload()),
  );

  function reload(): void {
    void session.attempt(() => list.reload());
  }

  function showHeads(): void {
    replace(
      heads,
      ...COLUMNS.map(([key, title]) =>
        button(
          title + (key === sort ? (reverse ? " ▾" : " ▴") : ""),
          `sort by ${title}`,
          () => {
            reverse = key === sort && !reverse;
            sort = key;
            showHeads();
            reload();
          },
          { class: `column-${key}`, "aria-pressed": key === sort },
        ),
      ),
    );
  }

  showHeads();
  const element = h("div.games-view", {}, h("div.row", {}, search, chapterButtons(session)), heads, list.element, tags);
  return {
    name: "Games",
    element,
    topics: ["game", "games", "files"],
    update(topic) {
      if (topic !== "game") reload();
      else list.redraw();
      showTags(session, tags);
      list.scrollTo(sort === "number" && !search.value ? session.position.game : 0);
    },
  };
}

function gameRow(session: Session, row: GameRow, reload: () => void): HTMLElement {
  const names = row.white || row.black ? [row.white, row.black] : [row.title, ""];
  const ratings = row.ratings.some(Boolean) ? row.ratings.map((rating) => rating || "?").join(" ") : "";
  const cells: [string, string | number][] = [
    ["number", row.number],
    ["white", names[0]!],
    ["black", names[1]!],
    ["result", row.result],
    ["ratings", ratings],
    ["date", row.date],
    ["opening", row.opening],
    ["moves", row.moves],
  ];
  const current = row.game === session.details.game;
  const open = h(
    "button.game-row",
    { type: "button", "aria-current": current ? "true" : null, onclick: () => void session.go(row.game, { node: 0 }) },
    ...cells.map(([column, text]) => h(`span.column-${column}`, {}, text)),
    row.changed && h("span.changed", { title: "changed" }, "•"),
  );
  const item = h("div", { draggable: session.state.read_only ? "false" : "true" }, open);
  makeDraggable(session, item, row, reload);
  return item;
}

/** A row dropped on another one of the same file takes its place. */
function makeDraggable(session: Session, item: HTMLElement, row: GameRow, reload: () => void): void {
  const type = `application/x-gametree-file-${row.file}`;
  item.addEventListener("dragstart", (event) => event.dataTransfer?.setData(type, String(row.game)));
  item.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes(type)) event.preventDefault();
  });
  item.addEventListener("drop", (event) => {
    event.preventDefault();
    const game = Number(event.dataTransfer?.getData(type));
    if (game !== row.game) void session.edit("chapter-move", String(row.game + 1), 0, game).then(reload);
  });
}

function chapterButtons(session: Session): HTMLElement {
  const edit = (verb: string, text = "") => session.edit(verb, text, 0);
  const named = async (title: string, verb: string, value = "") => {
    const name = await askText({ title, label: "Name", value });
    if (name !== null) await edit(verb, name);
  };
  const shift = (by: number) => edit("chapter-move", String(session.details.game + 1 + by));
  const remove = async () => {
    if (await confirmed("Delete chapter", `Delete ${session.details.title}? You can undo this.`, "Delete"))
      await edit("chapter-delete");
  };
  return h(
    "div.buttons",
    { role: "group", "aria-label": "Chapter" },
    button("New", "new chapter", () => void named("New chapter", "chapter-add")),
    button("Rename", "rename this chapter", () => void named("Rename chapter", "chapter-name", session.details.title)),
    button("↑", "move this chapter up", () => void shift(-1)),
    button("↓", "move this chapter down", () => void shift(1)),
    button("Delete", "delete this chapter", () => void remove()),
  );
}

function showTags(session: Session, element: HTMLElement): void {
  const { details } = session;
  const readonly = session.state.read_only;
  const rows = details.tags.map(([name, value]) => {
    const field = h("input", { type: "text", value, readonly, "aria-label": name });
    field.addEventListener("change", () => void session.edit("tag", `${name} ${field.value}`, 0));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, field),
      h(
        "td",
        {},
        button("×", `remove ${name}`, () => void session.edit("drop-tag", name, 0)),
      ),
    );
  });
  const add = async () => {
    const text = await askText({ title: "Add a tag", label: "Name and value, such as: Annotator Me" });
    if (text) await session.edit("tag", text, 0);
  };
  replace(
    element,
    h("h3", {}, details.title, h("small", {}, ` ${count(details.nodes - 1, "move")}, ${count(details.lines, "line")}`)),
    h("table", { "aria-label": "Tags" }, h("tbody", {}, ...rows)),
    button("Add a tag", "add a tag", () => void add()),
  );
}
