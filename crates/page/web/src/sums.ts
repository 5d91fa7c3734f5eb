// Sums of combinatorial games: type or draw a position; outcome, winning moves, value, thermograph.

import { get, post } from "./api";
import type { Component, Job, Player, Solution, SumCheck, SumGame, SumMove, SumValue } from "./api";
import { button, debounce, h, replace } from "./dom";
import { cellsOf, gridOf, symbolsOf, withRows, written } from "./grid";
import { JobRunner } from "./jobs";
import { MarkedField } from "./marked";
import { playPanel } from "./play";
import type { Session } from "./session";
import { strategyPanel } from "./strategy";
import { thermographOf } from "./thermograph";
import type { View } from "./view";

const OUTCOMES: Record<string, string> = {
  L: "Left wins, moving first or second",
  R: "Right wins, moving first or second",
  N: "the first player wins",
  P: "the second player wins",
};

export function sumsView(session: Session): View {
  const input = new MarkedField("Sum", 3, "sum");
  if (!input.field.value) input.field.value = "clobber XO|OX + domineering ...|... + {1|-1}";
  const faults = h("ul.faults", { "aria-label": "Errors in the sum" });
  const boards = h("div.components");
  const answer = h("div.answer");
  const details = h("section", { "aria-label": "Value" });
  const strategy = strategyPanel(session, () => input.field.value);
  const play = playPanel(session, () => input.field.value);
  let components: Component[] = [];
  let lit: SumMove | null = null;

  const runner = new JobRunner<never, Solution>(session, (job) => showAnswer(job));

  const check = debounce(200, () => {
    const sum = input.field.value;
    void session.attempt(async () => {
      const checked = await post<SumCheck>("sums/check", { sum });
      if (sum !== input.field.value) return;
      input.mark(checked.faults.map((fault) => ({ ...fault, warning: false })));
      replace(faults, ...checked.faults.map((fault) => h("li", {}, fault.message)));
      if (checked.faults.length > 0) return;
      components = checked.components;
      showBoards();
    });
  });

  function setSum(sum: string): void {
    input.field.value = sum;
    input.field.dispatchEvent(new Event("input"));
  }

  function showBoards(): void {
    replace(
      boards,
      ...components.map((component, index) =>
        h(
          "div.component",
          {},
          gridOf(component, {
            edit: (rows) => editBoard(index, rows),
            lit: lit?.component === index ? cellsOf(lit.move, component) : [],
          }),
          h("small", {}, component.game),
          button("×", "remove this component", () => setSum(join(components.filter((_, other) => other !== index)))),
        ),
      ),
    );
  }

  function editBoard(index: number, rows: string[]): void {
    setSum(join(components.map((component, other) => (other === index ? withRows(component, rows) : component))));
  }

  async function solve(event: Event): Promise<void> {
    event.preventDefault();
    await runner.start("sums/solve", {
      sum: input.field.value,
      ask: ["outcome", "moves", "value", "thermograph"],
      seconds: 10,
    });
  }

  function showAnswer(job: Job<never, Solution>): void {
    replace(details);
    if (job.state === "running") return replace(answer);
    const { outcome, possible, moves, value, thermograph, gave_up: gaveUp } = job.result ?? {};
    const open = Object.entries(gaveUp ?? {}).map(([question, reason]) => h("p.faint", {}, `${question}: ${reason}`));
    replace(
      answer,
      outcome
        ? h("p.outcome", {}, h("b", {}, `Outcome ${outcome}`), `: ${OUTCOMES[outcome] ?? ""}`)
        : possible && possible.length < 4 && h("p", {}, `Outcome: one of ${possible.join(", ")}`),
      moves && h("div.move-lists", {}, movesOf("left", moves.left), movesOf("right", moves.right)),
      ...open,
    );
    replace(details, value && valueOf(value), thermograph && thermographOf(thermograph));
  }

  function movesOf(player: Player, moves: SumMove[]): HTMLElement {
    const sorted = [...moves].sort((a, b) => Number(b.wins ?? 0) - Number(a.wins ?? 0));
    const name = player === "left" ? "Left (black, X)" : "Right (white, O)";
    const show = (move: SumMove | null) => () => {
      lit = move;
      showBoards();
    };
    return h(
      "section",
      { "aria-label": `Moves of ${name}` },
      h("h3", {}, `${name}: ${moves.filter((move) => move.wins).length} of ${moves.length} moves win`),
      h(
        "ul",
        {},
        ...sorted
          .slice(0, 200)
          .map((move) =>
            h(
              "li",
              {},
              h(
                move.wins ? "button.wins" : "button",
                {
                  type: "button",
                  title: move.sum,
                  onclick: () => setSum(move.sum),
                  onpointerenter: show(move),
                  onfocus: show(move),
                  onpointerleave: show(null),
                },
                `${move.move} `,
                h("small", {}, move.wins === null ? "unknown" : move.wins ? "wins" : "loses"),
              ),
            ),
          ),
      ),
    );
  }

  input.field.addEventListener("input", () => {
    lit = null;
    check();
  });
  input.field.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter") void solve(event);
  });
  const element = h(
    "div.sums-view",
    {},
    h(
      "section",
      { "aria-label": "Position" },
      h(
        "form",
        { onsubmit: (event: Event) => void solve(event) },
        input.element,
        faults,
        h(
          "div.row",
          {},
          h("button.primary", { type: "submit" }, "Solve"),
          boardMaker(session, (added) => setSum(join([...components, added]))),
        ),
        boards,
        h("p.faint", {}, "Click a cell to change it. Click a move below to make it."),
      ),
      runner.element,
      answer,
    ),
    details,
    h("section", { "aria-label": "Strategy and play" }, strategy, play),
  );
  let known = false;
  return {
    name: "Sums",
    element,
    topics: [],
    update() {
      if (!known) check();
      known = true;
    },
  };
}

/** The report of a value, the most wanted lines first. */
function valueOf(value: SumValue): HTMLElement {
  const first = ["value", "outcome", "mean", "temperature", "left_stop", "right_stop"];
  const names = [...first, ...Object.keys(value).filter((name) => !first.includes(name))];
  const lines = names.flatMap((name) =>
    value[name] == null ? [] : [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, value[name])],
  );
  return h("dl.value", {}, ...lines);
}

function join(components: Pick<Component, "game" | "text">[]): string {
  return components.map(written).join(" + ") || "0";
}

/** Adds an empty board of a chosen game and size. */
function boardMaker(session: Session, add: (component: { game: string; text: string }) => void): HTMLElement {
  const game = h("select", { "aria-label": "Game" });
  const height = h("input", { type: "number", min: 1, max: 20, value: 3, "aria-label": "Rows" });
  const width = h("input", { type: "number", min: 1, max: 20, value: 3, "aria-label": "Columns" });
  let games: SumGame[] = [];
  void session.attempt(async () => {
    games = (await get<{ games: SumGame[] }>("sums/games")).games.filter((known) => known.board || known.strip);
    replace(game, ...games.map((known) => h("option", { value: known.name, title: known.summary }, known.name)));
  });
  const make = () => {
    const strip = games.find((known) => known.name === game.value)?.strip ?? false;
    const row = symbolsOf(game.value)[0]!.repeat(Number(width.value));
    const cells = strip ? row : Array.from({ length: Number(height.value) }, () => row).join("|");
    const head: Record<string, string> = { gen_king_dirt: "1,1,0:", gen_toads: "1,1,1,0:" };
    add({ game: game.value, text: (head[game.value] ?? "") + cells });
  };
  return h("div.row", {}, game, height, "×", width, button("Add board", "add a board of this game", make));
}
