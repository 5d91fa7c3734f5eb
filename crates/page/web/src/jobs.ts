// Work on the server that can take long: starts it, shows its progress, cancels it, fetches its rows.

import { get, post } from "./api";
import type { Job, Window } from "./api";
import { button, h, replace } from "./dom";
import type { Session } from "./session";

/** Shorter work needs no progress. */
const PATIENCE = 500;

export class JobRunner<Row, Result> {
  readonly element = h("div.progress", { role: "status" });
  job: Job<Row, Result> | null = null;
  private starting = 0;
  private delay = 0;

  /** `changed` is called for every progress and the end of the job. */
  constructor(
    private readonly session: Session,
    private readonly changed: (job: Job<Row, Result>) => void,
  ) {
    session.on("job", (detail) => {
      const job = detail as Job<Row, Result>;
      if (job.job === this.job?.job) this.take(job);
    });
  }

  /** Starts a job in place of the earlier one; a refusal becomes a note. */
  async start(route: string, body: object): Promise<void> {
    await this.session.attempt(() => this.startOrThrow(route, body));
  }

  /** The same; throws a refusal. */
  async startOrThrow(route: string, body: object): Promise<void> {
    this.forget();
    const turn = ++this.starting;
    replace(this.element);
    const job = await post<Job<Row, Result>>(route, { epoch: this.session.state.epoch, ...body });
    if (turn !== this.starting) return void post("remove", { job: job.job });
    this.job = job;
    window.clearTimeout(this.delay);
    this.delay = window.setTimeout(() => this.show(), PATIENCE);
    // Its end may have been announced before the answer to the request came.
    this.take((this.session.jobs.get(job.job) as Job<Row, Result> | undefined) ?? job);
  }

  /** Cancels the job and drops its rows. */
  forget(): void {
    const { job } = this;
    this.job = null;
    if (job) void this.session.attempt(() => post("remove", { job: job.job }));
  }

  fetch(from: number, count: number): Promise<Window<Row>> {
    if (!this.job) return Promise.resolve({ total: 0, from, rows: [] });
    return get<Window<Row>>("job", { job: this.job.job, from, count });
  }

  private take(job: Job<Row, Result>): void {
    this.job = job;
    if (job.state !== "running") {
      window.clearTimeout(this.delay);
      this.show();
    } else if (this.element.childElementCount > 0) this.show();
    this.changed(job);
  }

  private show(): void {
    const { job } = this;
    if (!job) return replace(this.element);
    if (job.state !== "running") {
      const text = { done: "", canceled: "canceled", failed: `failed: ${job.message}` }[job.state];
      return replace(this.element, text);
    }
    const { progress } = job;
    const bar = h("progress", {
      "aria-label": "Progress",
      max: progress?.all ?? null,
      value: progress?.all ? progress.done : null,
    });
    const text = progress
      ? ` ${progress.done.toLocaleString("en")}${progress.all ? ` of ${progress.all.toLocaleString("en")}` : ""} ${progress.unit} `
      : " ";
    replace(
      this.element,
      bar,
      text,
      button("Cancel", "cancel", () => void this.cancel()),
    );
  }

  private async cancel(): Promise<void> {
    const { job } = this;
    if (job) await this.session.attempt(() => post("cancel", { job: job.job }));
  }
}
