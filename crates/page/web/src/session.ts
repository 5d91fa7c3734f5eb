// What the page shows and where it is: one position of one game, kept equal to the server's files.

import { ApiError, client, get, isAbort, post } from "./api";
import type { Change, Edited, GameDetails, Job, OpenFile, Position, State } from "./api";

export type Topic = "position" | "game" | "games" | "files" | "job" | "note";
export type Where = { node: number } | { path: string } | { place: string; at?: number };
/** The usual starting position, without counters. */
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
type Listener = (detail?: unknown) => void;

export interface Note {
  text: string;
  error: boolean;
}

export class Session {
  state!: State;
  position!: Position;
  details!: GameDetails;
  /** Jobs by number, without their rows. */
  readonly jobs = new Map<number, Job>();
  /** The places that jumps came from: `back` returns to them. */
  private readonly trail: { game: number; node: number }[] = [];
  private readonly listeners = new Map<Topic, Listener[]>();
  private queue: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** Edits of this page that were not answered yet. */
  private editing = 0;
  private turn = 0;
  private pending: { game: number; where: Where } | null = null;
  private latest: Promise<void> = Promise.resolve();
  /** The state of the files that `details` belongs to. */
  private detailsRev = -1;

  on(topic: Topic, listener: Listener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  emit(topic: Topic, detail?: unknown): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(detail);
  }

  note(text: string, error = false): void {
    this.emit("note", { text, error } satisfies Note);
  }

  /** The current game cannot be changed. */
  get readOnly(): boolean {
    return this.state.read_only || this.file.archive;
  }

  /** The file of the current game. */
  get file(): OpenFile {
    return this.state.files[this.details.file]!;
  }

  async start(game: number, where: Where): Promise<void> {
    this.takeState(await get<State>("state"));
    const known = game < this.state.games ? game : 0;
    await this.load(known, known === game ? where : { node: 0 }).catch(() => this.load(0, { node: 0 }));
    this.listen();
  }

  /** Steps are under way. */
  get busy(): boolean {
    return this.waiting > 0;
  }

  /** Shows a position; a failure becomes a note. */
  go(game: number, where: Where): Promise<boolean> {
    return this.attempt(() => this.load(game, where));
  }

  /** Like `go`, and remembers this place for `back`. */
  jump(game: number, where: Where): Promise<boolean> {
    this.trail.push({ game: this.position.game, node: this.position.node });
    return this.go(game, where);
  }

  async back(): Promise<void> {
    const place = this.trail.pop();
    if (place) await this.go(place.game, { node: place.node });
    else this.note("no earlier place");
  }

  next(): void {
    this.step(() => this.position.next);
  }

  previous(): void {
    this.step(() => this.position.parent);
  }

  /** `to` as in `/api/step`. */
  stepTo(to: string): void {
    this.step(async () => {
      const { game, node, line_end: line } = this.position;
      return (await get<{ node: number | null }>("step", { game, node, to, line })).node;
    });
  }

  play(move: { uci: string }): Promise<boolean> {
    const { game, node, legal } = this.position;
    const written = legal.find(({ uci }) => uci === move.uci)?.node ?? null;
    if (this.file.archive && written === null) return this.playOnBoard(move.uci);
    return this.change("play", { game, node, ...move }, false);
  }

  /** Games of an archive stay as they are: another move is played in the game before them. */
  private playOnBoard(uci: string): Promise<boolean> {
    const moves = [...(this.position.moves ?? []), uci];
    if (!this.position.moves || !this.details.start.startsWith(START)) {
      this.note("only the moves of this game can be played", true);
      return Promise.resolve(false);
    }
    return this.attempt(async () => {
      const known = await get<Position>("position", { game: 0, path: moves.join(","), rows: 1 });
      let { node } = known;
      for (const next of moves.slice(known.followed ?? 0)) {
        ({ node } = await post<Edited>("play", { game: 0, node, uci: next }));
      }
      await this.jump(0, { node });
    });
  }

  /** An edit of a node; without one, of the node shown when the actions before this one are done. */
  edit(verb: string, text = "", node?: number, game?: number): Promise<boolean> {
    return this.change("edit", (at) => ({ game: game ?? at.game, node: node ?? at.node, verb, text }));
  }

  /** An edit at a place that is not shown: the page stays where it is. */
  editElsewhere(verb: string, text: string, node: number, game: number): Promise<boolean> {
    return this.attempt(async () => {
      const done = await post<Edited>("edit", { epoch: this.state.epoch, game, node, verb, text });
      this.state.rev = Math.max(this.state.rev, done.rev);
      await this.refresh();
      this.note(done.summary);
    });
  }

  /** A request that answers as an edit; then shows the place it names. */
  change(route: string, body: object | ((at: Position) => object), announce = true): Promise<boolean> {
    this.editing += 1;
    return this.enqueue(() =>
      this.attempt(async () => {
        const content = typeof body === "function" ? (body as (at: Position) => object)(this.position) : body;
        const done = await post<Edited>(route, { epoch: this.state.epoch, ...content });
        await this.takeEdit(done);
        if (announce && done.summary) this.note(done.summary);
      }),
    ).finally(() => (this.editing -= 1));
  }

  undo(): Promise<boolean> {
    return this.change("undo", { file: this.file.file });
  }

  redo(): Promise<boolean> {
    return this.change("redo", { file: this.file.file });
  }

  /** Runs an action; false, with a note, if it failed. */
  async attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      if (isAbort(error)) return false;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "stale") await this.renumbered();
      this.note(error.message, true);
      return false;
    }
  }

  /** Fetches the current position again, or the one that is on its way. */
  async refresh(): Promise<void> {
    // The position after an edit is fetched anyway, and this one may be gone.
    if (this.editing > 0) return;
    const { game, where } = this.pending ?? { game: this.position.game, where: { node: this.position.node } };
    await this.load(game, where);
  }

  /** The same after changes by others, who may have deleted it: then the last position before it that is left. */
  private follow(): Promise<void> {
    const game = Math.min(this.position.game, this.state.games - 1);
    return this.load(game, { path: this.position.moves?.join(",") ?? "" });
  }

  private step(target: () => number | null | Promise<number | null>): void {
    this.waiting += 1;
    const walk = () =>
      this.attempt(async () => {
        const node = await target();
        if (node !== null) await this.load(this.position.game, { node });
      });
    void this.enqueue(walk).finally(() => (this.waiting -= 1));
  }

  /** Steps and edits follow one another, so that keys typed quickly act on what they would show. */
  private enqueue<T>(action: () => Promise<T>): Promise<T> {
    const arrived = this.queue.then(() => this.latest.catch(() => undefined));
    const result = arrived.then(action);
    this.queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Shows a position. Requests can overtake one another: the one made last counts. */
  private load(game: number, where: Where): Promise<void> {
    this.pending = { game, where };
    this.latest = this.fetchPosition(game, where, ++this.turn);
    return this.latest;
  }

  private async fetchPosition(game: number, where: Where, turn: number): Promise<void> {
    const before = this.details;
    const line = before?.game === game ? this.position.line_end : null;
    const query = { game, line, epoch: this.state.epoch, ...where };
    const sameGame = before?.game === game && this.detailsRev === this.state.rev;
    const { rev } = this.state;
    const answers = Promise.all([
      get<Position>("position", query),
      sameGame ? before : get<GameDetails>("game", { game }),
    ]);
    const [position, details] = await answers.finally(() => {
      if (turn === this.turn) this.pending = null;
    });
    if (turn !== this.turn) return this.latest;
    this.position = position;
    this.details = details;
    this.detailsRev = rev;
    if (!sameGame) this.emit("game");
    this.emit("position");
  }

  private async takeEdit(done: Edited): Promise<void> {
    const renumbered = done.epoch !== this.state.epoch;
    if (renumbered) this.takeState(await get<State>("state"));
    this.state.rev = Math.max(this.state.rev, done.rev);
    await this.load(done.game, { node: done.node });
    if (renumbered) this.emit("games");
  }

  private async renumbered(): Promise<void> {
    this.takeState(await get<State>("state"));
    await this.follow();
    this.emit("games");
  }

  private takeState(state: State): void {
    this.state = state;
    for (const job of state.jobs) this.jobs.set(job.job, job);
    this.emit("files");
  }

  private listen(): void {
    const events = new EventSource("api/events");
    const on = <T>(name: string, take: (data: T) => void) =>
      events.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data) as T));
    let lost = false;
    events.onerror = () => {
      if (!lost) this.note("connection to the server lost; trying again", true);
      lost = true;
    };
    on<State>("hello", (state) => {
      const behind = state.rev !== this.state.rev || state.epoch !== this.state.epoch;
      this.takeState(state);
      if (behind) void this.attempt(() => this.follow()).then(() => this.emit("games"));
      if (lost) this.note("connected again");
      lost = false;
    });
    on<Change>("change", (change) => void this.takeChange(change));
    on<{ epoch: number; rev: number; files: OpenFile[]; clip: boolean }>("files", (event) => {
      this.state.files = event.files;
      this.state.clip = event.clip;
      this.state.games = event.files.reduce((sum, file) => sum + file.games, 0);
      this.emit("files");
    });
    on<{ game: number }>("marks", ({ game }) => {
      if (game === this.position.game) void this.attempt(() => this.refresh());
    });
    on<Job>("job", (job) => {
      this.jobs.set(job.job, job);
      this.emit("job", job);
    });
    on("closing", () => {
      events.close();
      this.note("the server has ended; start gametree serve again and reload this page", true);
    });
  }

  private async takeChange(change: Change): Promise<void> {
    if (change.by === client) return;
    const renumbered = change.epoch !== this.state.epoch;
    this.state.rev = Math.max(this.state.rev, change.rev);
    if (renumbered) await this.attempt(() => this.renumbered());
    else if (change.game === this.position.game) await this.attempt(() => this.follow());
    else this.emit("games");
    this.note(`elsewhere: ${change.summary}`);
  }
}
