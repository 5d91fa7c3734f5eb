// The winning strategy as a tree that opens step by step, with a small board at every node.

import { post } from "./api";
import type { Job, Strategy, SumCheck } from "./api";
import { count, h, replace } from "./dom";
import { gridOf } from "./grid";
import { JobRunner } from "./jobs";
import type { Session } from "./session";

export function strategyPanel(session: Session, sum: () => string): HTMLElement {
  const tree = h("div.strategy");
  const first = h(
    "select",
    { "aria-label": "First player" },
    h("option", { value: "left" }, "Left"),
    h("option", { value: "right" }, "Right"),
  );
  const runner = new JobRunner<never, Strategy>(session, (job) => show(job));

  function show(job: Job<never, Strategy>): void {
    if (job.state !== "done" || !job.result?.nodes) return replace(tree);
    const { winner, lines } = job.result;
    replace(
      tree,
      h("p", {}, h("b", {}, `${nameOf(winner)} wins`), `: an answer to every move, ${count(lines, "line")}.`),
      childrenOf(job.job, job.result, 0),
    );
  }

  /** Nodes are in preorder, so the children of a node follow it. */
  function childrenOf(job: number, strategy: Strategy, parent: number): HTMLElement {
    const nodes = strategy.nodes.flatMap((node, index) => (node.parent === parent && index !== 0 ? [index] : []));
    return h("ul", {}, ...nodes.map((index) => h("li", {}, nodeOf(job, strategy, index))));
  }

  function nodeOf(job: number, strategy: Strategy, index: number): HTMLElement {
    const node = strategy.nodes[index]!;
    const board = h("div.components");
    const summary = h(
      "summary",
      {},
      `${nameOf(node.player ?? "")} ${node.move ?? ""}`,
      node.link !== null && h("small", {}, " (as above)"),
    );
    const details = h("details", {}, summary, board);
    details.addEventListener("toggle", () => void open(), { once: true });
    async function open(): Promise<void> {
      await session.attempt(async () => {
        const { components } = await post<SumCheck>("sums/strategy/at", { job, node: index });
        replace(
          board,
          ...(components.length > 0 ? components.map((component) => gridOf(component)) : ["nothing is left: no moves"]),
        );
        details.append(childrenOf(job, strategy, node.link ?? index));
      });
    }
    return details;
  }

  const start = (event: Event) => {
    event.preventDefault();
    void runner.start("sums/strategy", { sum: sum(), first: first.value, seconds: 10 });
  };
  return h(
    "section",
    { "aria-label": "Strategy" },
    h("h2", {}, "Winning strategy"),
    h(
      "form.row",
      { onsubmit: start },
      first,
      "moves first",
      h("button.primary", { type: "submit" }, "Show the strategy"),
    ),
    runner.element,
    tree,
  );
}

export function nameOf(player: string): string {
  return player.charAt(0).toUpperCase() + player.slice(1).toLowerCase();
}
