// Play a sum against the solver: your moves as a list, its replies as they are found.

import { post } from "./api";
import type { Job, Player, Reply, SumCheck } from "./api";
import { button, h, replace } from "./dom";
import { cellsOf, gridOf } from "./grid";
import { JobRunner } from "./jobs";
import type { Session } from "./session";
import { nameOf } from "./strategy";

interface Turn {
  sum: string;
  text: string;
}

export function playPanel(session: Session, start: () => string): HTMLElement {
  const side = h(
    "select",
    { "aria-label": "You play" },
    h("option", { value: "left" }, "Left (black, X)"),
    h("option", { value: "right" }, "Right (white, O)"),
  );
  const order = h(
    "select",
    { "aria-label": "Who moves first" },
    h("option", { value: "me" }, "you move first"),
    h("option", { value: "solver" }, "the solver moves first"),
  );
  const board = h("div.components");
  const moves = h("ul.play-moves", { "aria-label": "Your moves" });
  const message = h("p", { "aria-live": "polite" });
  const record = h("ol.record", { "aria-label": "Moves so far" });
  const runner = new JobRunner<never, Reply>(session, (job) => void takeReply(job));
  let me: Player = "left";
  let turns: Turn[] = [];

  const other = (player: Player): Player => (player === "left" ? "right" : "left");
  const now = () => turns.at(-1)!.sum;

  async function begin(event: Event): Promise<void> {
    event.preventDefault();
    me = side.value as Player;
    turns = [{ sum: start(), text: "" }];
    if (order.value === "me") await myTurn();
    else await solverTurn();
  }

  async function myTurn(): Promise<void> {
    await show();
    await session.attempt(async () => {
      const found = await post<{ moves: { move: string; component: number; to: string }[] }>("sums/moves", {
        sum: now(),
        player: me,
      });
      replace(message, found.moves.length > 0 ? "Your move." : "You have no move: the solver wins.");
      replace(
        moves,
        ...found.moves.map((move) =>
          h(
            "li",
            {},
            button(move.move, `play ${move.move}`, () => void play(move.move, move.to)),
          ),
        ),
      );
    });
  }

  async function play(move: string, sum: string): Promise<void> {
    turns.push({ sum, text: `${nameOf(me)} ${move}` });
    await solverTurn();
  }

  async function solverTurn(): Promise<void> {
    // At once: a second click must not play another move.
    replace(moves);
    replace(message, "The solver is thinking.");
    await show();
    await runner.start("sums/reply", { sum: now(), player: other(me), seconds: 5 });
  }

  async function takeReply(job: Job<never, Reply>): Promise<void> {
    if (job.state === "running" || turns.at(-1) === undefined) return;
    if (job.state !== "done") return replace(message, "The solver gave no answer.");
    const { move, sum, confidence } = job.result;
    if (move === null) return replace(message, "The solver has no move: you win.");
    turns.push({ sum, text: `${nameOf(other(me))} ${move}${confidence === "guess" ? " (a guess)" : ""}` });
    await myTurn();
  }

  /** The sum as boards, with the cells of the last move lit. */
  async function show(): Promise<void> {
    replace(record, ...turns.slice(1).map((turn) => h("li", {}, turn.text)));
    const last = turns.at(-1)!.text.split(" ")[1] ?? "";
    await session.attempt(async () => {
      const { components } = await post<SumCheck>("sums/check", { sum: now() });
      const at = Number(/^(\d+):/.exec(last)?.[1] ?? 0);
      replace(
        board,
        ...components.map((component, index) =>
          gridOf(component, { lit: index === at && last ? cellsOf(last, component) : [] }),
        ),
      );
    });
  }

  async function takeBack(): Promise<void> {
    if (turns.length < 3) return session.note("no move to take back");
    turns = turns.slice(0, -2);
    await myTurn();
  }

  return h(
    "section",
    { "aria-label": "Play" },
    h("h2", {}, "Play against the solver"),
    h(
      "form.row",
      { onsubmit: (event: Event) => void begin(event) },
      side,
      order,
      h("button.primary", { type: "submit" }, "Play"),
      button("Take back", "take back your last move", () => void takeBack()),
    ),
    runner.element,
    message,
    board,
    moves,
    record,
  );
}
