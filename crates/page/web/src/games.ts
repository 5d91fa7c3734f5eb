// The list of chapters and games with columns, sort and search; and the tags of the current one.

import { ApiError, get } from "./api";
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

export interface GamesView extends View {
  /** Lists the games of an archive with the current position. */
  listHere(): void;
}

export function gamesView(session: Session): GamesView {
  let sort = "number";
  let reverse = false;
  const search = h("input", { type: "search", placeholder: "words in the tags", "aria-label": "Search games" });
  const here = h("input", { type: "checkbox", onchange: () => reload() });
  const hereLabel = h("label", { hidden: true }, here, " with this position");
  const total = h("small.total", { role: "status" });
  const cancel = button("Cancel", "back to the order of the archive", () => {
    [sort, reverse, search.value, here.checked] = ["number", false, "", false];
    showHeads();
    reload();
  });
  const busy = h("div.progress", { role: "status", hidden: true }, h("progress", { "aria-label": "Sorting" }), cancel);
  const fault = h("p.fault", { role: "alert", hidden: true });
  const chapters = chapterButtons(session);
  const heads = h("div.game-row.heads", { role: "group", "aria-label": "Sort by" });
  const tags = h("div.tags");
  const list = new WindowedList<GameRow>({
    label: "Games",
    height: 32,
    empty: "No game has these words in its tags.",
    fetch: async (from, size) => {
      const { game, node } = session.position;
      const order = { sort, reverse: reverse ? 1 : null, search: search.value };
      const found = await get<Window<GameRow>>("games", {
        from,
        count: size,
        ...order,
        ...(here.checked ? { game, with: node } : {}),
      });
      if (session.state.archive) replace(total, count(found.total, "game"));
      return found;
    },
    render: (row) => gameRow(session, row, here.checked, reload),
  });
  search.addEventListener(
    "input",
    debounce(150, () => reload()),
  );

  function reload(): void {
    void session.attempt(async () => {
      fault.hidden = true;
      const waiting = window.setTimeout(() => (busy.hidden = false), PATIENCE);
      try {
        await list.reload().finally(() => {
          window.clearTimeout(waiting);
          busy.hidden = true;
        });
      } catch (error) {
        // A condition that is not complete is explained below its field.
        if (!(error instanceof ApiError) || error.code !== "bad_request") throw error;
        replace(fault, error.message);
        fault.hidden = false;
      }
    });
  }

  /** What differs between chapters of files and games of an archive. */
  function adapt(): void {
    const archive = session.state.archive !== null;
    chapters.hidden = archive;
    hereLabel.hidden = !archive;
    if (!archive) return;
    search.placeholder = "Player=carlsen and Year>=2020";
    search.setAttribute("aria-label", "Only games that meet a condition");
    search.title = CONDITIONS;
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
  const element = h("div.games-view", {}, h("div.row", {}, search, hereLabel, total, chapters), busy, fault, heads, list.element, tags);
  return {
    name: "Games",
    element,
    topics: ["game", "games", "files", "position"],
    update(topic) {
      adapt();
      if (topic === "position") {
        if (here.checked) reload();
        return;
      }
      if (topic !== "game") reload();
      else list.redraw();
      showTags(session, tags);
      const plain = sort === "number" && !search.value && !here.checked;
      if (plain) list.scrollTo(session.position.game - (session.state.archive ? 1 : 0));
    },
    listHere() {
      here.checked = true;
      reload();
    },
  };
}

/** Shorter work needs no progress. */
const PATIENCE = 500;

const CONDITIONS =
  "A condition is a tag with a test (White=carlsen, Event~^Tata, WhiteElo>=2700), or Player, Elo, AnyElo, Year or Plies; join conditions by and, or, not and parentheses.";

/** `here`: a click opens the game at the current position. */
function gameRow(session: Session, row: GameRow, here: boolean, reload: () => void): HTMLElement {
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
  const open = () =>
    here ? void session.jump(row.game, { place: session.position.fen }) : void session.go(row.game, { node: 0 });
  const link = h(
    "button.game-row",
    { type: "button", "aria-current": current ? "true" : null, onclick: open },
    ...cells.map(([column, text]) => h(`span.column-${column}`, {}, text)),
    row.changed && h("span.changed", { title: "changed" }, "•"),
  );
  const fixed = session.state.read_only || session.state.archive !== null;
  const item = h("div", { draggable: fixed ? "false" : "true" }, link);
  if (!fixed) makeDraggable(session, item, row, reload);
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
  const readonly = session.readOnly;
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
        !readonly && button("×", `remove ${name}`, () => void session.edit("drop-tag", name, 0)),
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
    !readonly && button("Add a tag", "add a tag", () => void add()),
  );
}
