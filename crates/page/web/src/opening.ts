// Opening statistics: what the games of the archives played from this position.

import { get, isAbort } from "./api";
import type { Opening } from "./api";
import { count, h, replace } from "./dom";
import type { Session } from "./session";

export class OpeningPanel {
  readonly element = h("section", { "aria-label": "Opening statistics", hidden: true });
  private request = new AbortController();

  constructor(
    private readonly session: Session,
    private readonly listGames: () => void,
  ) {}

  async load(): Promise<void> {
    this.element.hidden = !this.session.state.archives;
    if (this.element.hidden) return;
    this.request.abort();
    this.request = new AbortController();
    const { game, node } = this.session.position;
    await this.session.attempt(async () => {
      const found = await get<Opening>("opening", { game, node }, this.request.signal).catch((error: unknown) => {
        if (isAbort(error)) return null;
        throw error;
      });
      if (found) this.show(found);
    });
  }

  private show(opening: Opening): void {
    const heads = ["Move", "Games", "", "Results", "Rating", "Performance", "Last"];
    replace(
      this.element,
      h("h2", {}, "Opening statistics"),
      h("p", {}, this.total(opening.games), opening.opening && `, ${opening.eco ?? ""} ${opening.opening}`),
      h(
        "table.opening-moves",
        { "aria-label": "Moves in the archives" },
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...opening.moves.map((move) => this.row(move))),
      ),
      ...this.games("Best games", opening.best),
      ...this.games("Latest games", opening.latest),
    );
  }

  /** The number of games; of an open archive, they can be listed. */
  private total(games: number): HTMLElement | string {
    if (!this.session.state.archive || games === 0) return count(games, "game");
    return h("button.link", { type: "button", onclick: this.listGames }, count(games, "game"));
  }

  private row(move: Opening["moves"][number]): HTMLElement {
    const play = h(
      "button.link",
      { type: "button", onclick: () => void this.session.play({ uci: move.uci }) },
      move.san,
    );
    const cells = [
      play,
      move.games.toLocaleString("en"),
      `${Math.round(move.share * 100)}\u00a0%`,
      resultBar(move),
      move.average_elo,
      move.performance,
      move.last_year,
    ];
    return h("tr", {}, ...cells.map((cell) => h("td", {}, cell)));
  }

  private games(title: string, games: Opening["best"]): HTMLElement[] {
    if (games.length === 0) return [];
    const rated = (name: string, rating: number | null) => (rating ? `${name} ${rating}` : name);
    const lines = games.map((game) =>
      h(
        "li",
        {},
        this.opens(game, `${rated(game.white, game.white_elo)} – ${rated(game.black, game.black_elo)} ${game.result}`),
        " ",
        h("small", {}, `${game.event} ${game.date}`),
      ),
    );
    return [h("h3", {}, title), h("ul", {}, ...lines)];
  }

  /** A game of the open archive is opened at this position by a click. */
  private opens(game: Opening["best"][number], text: string): HTMLElement | string {
    const { session } = this;
    if (game.archive !== session.state.archive?.path) return text;
    const open = () => void session.jump(game.number, { place: session.position.fen });
    return h("button.link", { type: "button", onclick: open }, text);
  }
}

/** White's wins, draws and Black's wins as parts of a bar; nothing without results. */
export function resultBar({
  white,
  draws,
  black,
}: {
  white: number;
  draws: number;
  black: number;
}): HTMLElement | null {
  if (white + draws + black === 0) return null;
  const name = `1-0: ${white}, 1/2-1/2: ${draws}, 0-1: ${black}`;
  const part = (look: string, share: number) => {
    const element = h(`span.${look}`);
    element.style.flexGrow = String(share);
    return element;
  };
  return h(
    "span.results",
    { role: "img", "aria-label": name, title: name },
    part("white", white),
    part("draw", draws),
    part("black", black),
  );
}
