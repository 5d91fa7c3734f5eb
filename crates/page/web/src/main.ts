// The page: header, board with its annotations, and views behind tabs.

import { Annotations } from "./annotate";
import { get, ApiError } from "./api";
import { askView } from "./ask";
import { Board } from "./board";
import { checksView } from "./checks";
import { askText } from "./dialog";
import { button, debounce, h, replace, throttle } from "./dom";
import { Files } from "./files";
import { gamesView } from "./games";
import { listenToKeys, showKeys } from "./keys";
import type { Key } from "./keys";
import { readLink, writeLink } from "./link";
import { runKey } from "./menu";
import { notationView } from "./notation";
import { pictureView } from "./picture";
import { positionsView } from "./positions";
import { Session } from "./session";
import type { Note } from "./session";
import { sumsView } from "./sums";
import { tableView } from "./table";
import { Tabs } from "./tabs";

const session = new Session();
const board = new Board(session);
const annotations = new Annotations(session);
const files = new Files(session);
const notation = notationView(session);
const ask = askView(session);
const games = gamesView(session);
const checks = checksView(session);
const listGames = () => {
  games.listHere();
  tabs.showNamed(games.name);
};
const table = tableView(session);
const views = [
  table,
  notation,
  pictureView(session),
  games,
  positionsView(session, listGames),
  checks,
  ask,
  sumsView(session),
];
const link = readLink();
// Browsers allow some hundred changes of the address in half a minute.
const remember = throttle(300, () => writeLink(tabs.name, session.position));
const tabs = new Tabs(session, views, (view) => {
  document.body.dataset["view"] = view.name;
  if (session.position) remember();
});
session.on("position", remember);

const status = h("div.status", { role: "status" });
const alertBox = h("div.status.error", { role: "alert" });
const quiet = debounce(6000, () => replace(status));
session.on("note", (detail) => {
  const { text, error } = detail as Note;
  replace(error ? alertBox : status, text, error && button("×", "close", () => replace(alertBox)));
  if (!error) {
    replace(alertBox);
    quiet();
  }
});

const verbKeys: [key: string, action: string][] = [
  ["+", "move up among the alternatives"],
  ["-", "move down"],
  ["*", "make this the main move"],
  ["M", "make the whole path the mainline"],
  ["Delete", "delete this move and its continuations"],
  ["x", "cut"],
  ["y", "copy"],
  ["v", "paste"],
  ["T", "bring the continuations of all move orders here"],
];

const keys: Key[] = [
  { keys: ["ArrowLeft", "k"], action: "previous move", run: () => session.previous() },
  { keys: ["ArrowRight", "j"], action: "next move", run: () => session.next() },
  { keys: ["ArrowUp"], action: "previous alternative", run: () => session.stepTo("previous-alternative") },
  { keys: ["ArrowDown"], action: "next alternative", run: () => session.stepTo("next-alternative") },
  {
    keys: ["Shift-ArrowLeft", "["],
    action: "previous move with alternatives",
    run: () => session.stepTo("previous-branching"),
  },
  {
    keys: ["Shift-ArrowRight", "]"],
    action: "next move with alternatives",
    run: () => session.stepTo("next-branching"),
  },
  { keys: ["Home", "0"], action: "starting position", run: () => session.stepTo("start") },
  { keys: ["End", "$"], action: "end of the line", run: () => session.stepTo("end") },
  { keys: ["<", "Ctrl-ArrowLeft"], action: "leave the variation", run: () => session.stepTo("leave-variation") },
  { keys: ["Backspace", "b"], action: "back to where the last jump came from", run: () => void session.back() },
  { keys: ["f"], action: "flip the board", run: () => board.flip() },
  { keys: [":"], action: "go to a place or play a move by name", run: () => annotations.focusEntry() },
  { keys: ["d", ";"], action: "write a comment", run: () => annotations.focusComment() },
  { keys: ["g"], action: "glyphs", run: () => annotations.focusGlyphs() },
  ...["!", "?", "!!", "??", "!?", "?!"].map((glyph, index) => ({
    keys: [String(index + 1)],
    action: `glyph ${glyph}; again to remove it`,
    run: () => annotations.toggleGlyph(index + 1),
  })),
  { keys: ["n"], action: "next game", run: () => otherGame(1) },
  { keys: ["p"], action: "previous game", run: () => otherGame(-1) },
  { keys: ["t"], action: "other move order to this position", run: () => void otherOrder() },
  { keys: ["e"], action: "all move orders to this position", run: () => tabs.showNamed("Positions") },
  {
    keys: ["J"],
    action: "positions of all chapters in the table, or this game",
    run: () => {
      if (tabs.name !== table.name) tabs.showNamed(table.name);
      table.toggleMode();
    },
  },
  { keys: ["w"], action: "ask in CQL", run: () => tabs.showNamed("Ask") },
  { keys: ["("], action: "previous match", run: () => ask.step(-1) },
  { keys: [")"], action: "next match", run: () => ask.step(1) },
  { keys: ["/"], action: "search comments and moves", run: () => void find() },
  ...verbKeys.map(([key, action]) => ({ keys: [key], action, run: () => void runKey(session, key) })),
  { keys: ["u", "Ctrl-z"], action: "undo", run: () => void session.undo() },
  { keys: ["r", "Ctrl-y"], action: "redo", run: () => void session.redo() },
  { keys: ["s", "Ctrl-s"], action: "save", run: () => void files.save() },
  { keys: ["z"], action: "fold the variation in the notation", run: () => notation.foldCurrent() },
  { keys: ["Z"], action: "fold or unfold all variations", run: () => notation.foldAll() },
  { keys: ["?"], action: "this list", run: () => showKeys(keys) },
];

function otherGame(by: number): void {
  const game = session.position.game + by;
  if (game >= 0 && game < session.state.games) void session.go(game, { node: 0 });
}

async function otherOrder(): Promise<void> {
  const { game, node } = session.position;
  await session.attempt(async () => {
    const { orders } = await get<{ orders: { game: number; node: number; current: boolean }[] }>("orders", {
      game,
      node,
    });
    const at = orders.findIndex((order) => order.current);
    const next = orders[(at + 1) % orders.length];
    if (!next || next.current) session.note("no other move order leads to this position");
    else await session.jump(next.game, { node: next.node });
  });
}

let sought = "";
async function find(): Promise<void> {
  const text = await askText({ title: "Search", label: "Text of a comment, or a move", value: sought });
  if (!text) return;
  sought = text;
  const { game, node } = session.position;
  await session.attempt(async () => {
    const found = await get<{ node: number | null } | null>("find", { game, node, text });
    if (found?.node == null) session.note(`no other place in this game contains “${text}”`);
    else await session.jump(game, { node: found.node });
  });
}

function controls(): HTMLElement {
  return h(
    "div.controls",
    { role: "group", "aria-label": "Steps" },
    button("|◀", "starting position", () => session.stepTo("start")),
    button("◀", "previous move", () => session.previous()),
    button("▶", "next move", () => session.next()),
    button("▶|", "end of the line", () => session.stepTo("end")),
    button("⇅", "flip the board", () => board.flip()),
    button("?", "keys", () => showKeys(keys)),
  );
}

/** On a wide screen the notation has a column of its own. */
function arrange(aside: HTMLElement): void {
  const wide = matchMedia("(min-width: 1300px)");
  const place = () => {
    aside.hidden = !wide.matches;
    tabs.setHidden(notation, wide.matches);
    if (wide.matches) {
      aside.append(notation.element);
      notation.update("shown");
    }
  };
  wide.addEventListener("change", place);
  for (const topic of ["position", "game"] as const) {
    session.on(topic, () => wide.matches && notation.update(topic));
  }
  place();
}

async function start(): Promise<void> {
  const aside = h("aside", { "aria-label": "Notation", hidden: true });
  // The header is in the document, so that something is painted before this program runs.
  document.querySelector("header")!.append(tabs.bar, files.buttons);
  document.body.append(
    files.banners,
    h(
      "main",
      {},
      h(
        "section.board-pane",
        { "aria-label": "Board" },
        board.element,
        controls(),
        annotations.place,
        annotations.element,
      ),
      tabs.panel,
      aside,
    ),
    h("footer", {}, status, alertBox),
  );
  await session.start(link.game, link.where);
  const { archive } = session.state;
  // Chapters are checked as a whole; an archive is too large for that.
  if (archive) tabs.setHidden(checks, true);
  tabs.showNamed(link.view ?? (archive ? "Games" : "Table"));
  arrange(aside);
  listenToKeys(keys, () => session.busy);
  window.addEventListener("hashchange", () => {
    const place = readLink();
    if (place.view && place.view !== tabs.name) tabs.showNamed(place.view);
    void session.go(place.game, place.where);
  });
}

start().catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  session.note(error.message, true);
});
