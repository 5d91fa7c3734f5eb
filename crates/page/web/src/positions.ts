// The position beyond its path: all move orders that reach it, and what follows it in any of them.

import { get, isAbort } from "./api";
import type { Orders } from "./api";
import { button, count, h, replace } from "./dom";
import { OpeningPanel, resultBar } from "./opening";
import type { Session } from "./session";
import type { View } from "./view";

/** `listGames` shows all games of the archive with this position. */
export function positionsView(session: Session, listGames: () => void): View {
  const orders = h("ol.orders");
  const continuations = h("ul.continuations");
  const summary = h("p");
  const bring = button(
    "Bring all continuations here",
    "bring all continuations here",
    () => void session.edit("bring"),
  );
  const opening = new OpeningPanel(session, listGames);
  const own = h(
    "section",
    { "aria-label": "Open files" },
    h("h2", {}, "Move orders to this position"),
    summary,
    orders,
    bring,
    h("h2", {}, "Continuations in all of them"),
    continuations,
  );
  const element = h("div.positions-view", {}, own, opening.element);
  let request = new AbortController();

  async function load(): Promise<void> {
    request.abort();
    request = new AbortController();
    const { game, node } = session.position;
    await session.attempt(async () => {
      const found = await get<Orders>("orders", { game, node }, request.signal).catch((error: unknown) => {
        if (isAbort(error)) return null;
        throw error;
      });
      if (found) show(found);
    });
  }

  function show(found: Orders): void {
    const places = found.orders.length;
    replace(summary, `${count(places, "move order")} in the open files${found.complete ? "" : ", and more"}.`);
    replace(
      orders,
      ...found.orders.map((order) =>
        h(
          "li",
          { "aria-current": order.current ? "true" : null },
          h(
            "button.link",
            { type: "button", onclick: () => void session.jump(order.game, { node: order.node }) },
            order.path || "starting position",
          ),
          h(
            "small",
            {},
            ` game ${order.game + 1}, ${count(order.below, "move")} below`,
            order.times > 1 && `, ${order.times} times`,
            order.link && `, link: ${order.link}`,
            order.joins && `, then as after ${order.joins}`,
          ),
          order.next.length > 0 && h("small", {}, `: ${order.next.join(", ")}`),
        ),
      ),
    );
    bring.hidden = places < 2 || session.readOnly;
    replace(
      continuations,
      ...found.continuations.map((move) =>
        h(
          "li",
          {},
          h(
            "button.link",
            { type: "button", onclick: () => void session.jump(move.game, { node: move.node }) },
            move.san,
          ),
          resultBar({ white: move.results["1-0"], draws: move.results["1/2-1/2"], black: move.results["0-1"] }),
          h(
            "small",
            {},
            ` ${count(move.times, "time")}, after ${move.orders.length === places ? "every order" : `order ${move.orders.map((order) => order + 1).join(", ")}`}`,
          ),
        ),
      ),
      found.continuations.length === 0 && h("li.empty", {}, "No move follows this position."),
    );
  }

  return {
    name: "Positions",
    element,
    topics: ["position", "games"],
    update() {
      // Of an archive, the statistics have the continuations in all games.
      own.hidden = session.state.archive !== null;
      if (!own.hidden) void load();
      void opening.load();
    },
  };
}
