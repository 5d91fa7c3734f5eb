// The position beyond its path: all move orders that reach it, and what follows it in any of them.

import { get, isAbort } from "./api";
import type { Orders, Score } from "./api";
import { button, count, h, replace } from "./dom";
import type { Session } from "./session";
import type { View } from "./view";

export function positionsView(session: Session): View {
  const orders = h("ol.orders");
  const continuations = h("ul.continuations");
  const summary = h("p");
  const bring = button("Bring all continuations here", "bring all continuations here", () => void session.edit("bring"));
  const element = h("div.positions-view", {}, h("h2", {}, "Move orders to this position"), summary, orders, bring, h("h2", {}, "Continuations in all of them"), continuations);
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
          h("button.link", { type: "button", onclick: () => void session.jump(order.game, { node: order.node }) }, order.path || "starting position"),
          h("small", {}, ` game ${order.game + 1}, ${count(order.below, "move")} below`, order.times > 1 && `, ${order.times} times`, order.link && `, link: ${order.link}`, order.joins && `, then as after ${order.joins}`),
          order.next.length > 0 && h("small", {}, `: ${order.next.join(", ")}`),
        ),
      ),
    );
    bring.hidden = places < 2 || session.state.read_only;
    replace(
      continuations,
      ...found.continuations.map((move) =>
        h(
          "li",
          {},
          h("button.link", { type: "button", onclick: () => void session.jump(move.game, { node: move.node }) }, move.san),
          resultBar(move.results),
          h("small", {}, ` ${count(move.times, "time")}, after ${move.orders.length === places ? "every order" : `order ${move.orders.map((order) => order + 1).join(", ")}`}`),
        ),
      ),
      found.continuations.length === 0 && h("li.empty", {}, "No move follows this position."),
    );
  }

  return { name: "Positions", element, topics: ["position", "games"], update: () => void load() };
}

/** The results of the games with this move: White's wins, draws, Black's wins. */
function resultBar(results: Record<Score, number>): HTMLElement | null {
  const parts: [Score, string][] = [["1-0", "white"], ["1/2-1/2", "draw"], ["0-1", "black"]];
  const all = parts.reduce((sum, [score]) => sum + results[score], 0);
  if (all === 0) return null;
  const name = parts.map(([score]) => `${score}: ${results[score]}`).join(", ");
  const bar = parts.map(([score, look]) => {
    const part = h(`span.${look}`);
    part.style.flexGrow = String(results[score]);
    return part;
  });
  return h("span.results", { role: "img", "aria-label": name, title: name }, ...bar);
}
