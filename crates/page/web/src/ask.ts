// Questions in CQL: a box with completion, help and marked errors; matches as positions with boards.

import { ApiError, post } from "./api";
import type { Completion, Diagnostic, Job, Match, QueryHelp, QueryResult } from "./api";
import { miniBoard } from "./board";
import { askText, confirmed } from "./dialog";
import { button, count, debounce, h, replace } from "./dom";
import { JobRunner } from "./jobs";
import { MarkedField } from "./marked";
import type { Session } from "./session";
import type { View } from "./view";
import { WindowedList } from "./windowed";

export interface AskView extends View {
  step(by: number): void;
}

export function askView(session: Session): AskView {
  const query = new MarkedField("Query in CQL", 4, "query");
  const completer = new Completer(query, session);
  const faults = h("ul.faults", { "aria-label": "Errors in the query" });
  const help = h("p.help", { "aria-live": "polite" });
  const summary = h("p.summary", { "aria-live": "polite" });
  const file = h("select", { "aria-label": "File" });
  const where = h("input", { type: "text", placeholder: "all games", "aria-label": "Only games that meet a condition" });
  const variations = h("input", { type: "checkbox", checked: true });
  let chosen = -1;
  let total = 0;

  const runner = new JobRunner<Match, QueryResult>(session, (job) => {
    showSummary(job);
    total = job.total;
    void session.attempt(() => list.reload());
    if (job.state === "done") void session.refresh();
  });
  const saver = new JobRunner<never, { path?: string }>(session, (job) => {
    if (job.state === "done") session.note(`saved ${job.result.path ?? "the matches"}`);
    if (job.state === "failed") session.note(job.message, true);
  });
  const list = new WindowedList<Match>({
    label: "Matches",
    height: 116,
    empty: "No match yet. Type a query and press Ctrl-Enter.",
    fetch: (from, size) => runner.fetch(from, size),
    render: matchRow,
  });

  function matchRow(match: Match, index: number): HTMLElement {
    const here = match.game === session.position.game && match.node === session.position.node;
    if (here) chosen = index;
    const open = () => {
      chosen = index;
      if (match.game !== null) void session.jump(match.game, { node: match.node });
    };
    return h(
      "div",
      {},
      h(
        "button.match",
        { type: "button", onclick: open, "aria-current": here ? "true" : null },
        match.fen !== null && miniBoard(match.fen, match.last),
        h(
          "span",
          {},
          h("b", {}, `${index + 1}. `),
          match.path === null ? "deleted" : match.path || "starting position",
          h("small", {}, ` ${match.title || `game ${(match.game ?? 0) + 1}`}`),
        ),
      ),
    );
  }

  function showSummary(job: Job<Match, QueryResult>): void {
    const { games, positions, given_up: givenUp } = job.result ?? {};
    const found =
      job.state === "running"
        ? `${count(job.total, "position")} so far`
        : `${count(positions ?? job.total, "position")} in ${count(games ?? 0, "game")}`;
    replace(summary, found, givenUp ? `; ${count(givenUp, "game")} given up` : "");
    saveButton.disabled = job.total === 0;
  }

  const check = debounce(150, () => {
    const text = query.field.value;
    if (!text.trim()) return replace(faults);
    void session.attempt(async () => {
      const { diagnostics } = await post<{ diagnostics: Diagnostic[] }>("query/check", { query: text });
      if (text !== query.field.value) return;
      query.mark(diagnostics);
      replace(
        faults,
        ...diagnostics.map((fault) =>
          h(
            fault.warning ? "li.warning" : "li",
            {},
            h("code", {}, text.slice(fault.start, fault.end) || "end"),
            ` ${fault.message}`,
            fault.help && h("small", {}, ` ${fault.help}`),
          ),
        ),
      );
    });
  });

  const showHelp = debounce(200, () => {
    const at = query.field.selectionStart;
    void session.attempt(async () => {
      const found = await post<QueryHelp>("query/help", { query: query.field.value, at });
      replace(help, found.word !== null && [h("code", {}, found.word), " ", found.help]);
    });
  });

  async function run(event?: Event): Promise<void> {
    event?.preventDefault();
    chosen = -1;
    if (!query.field.value.trim()) return;
    await runner.start("query", {
      query: query.field.value,
      file: file.value === "" ? null : Number(file.value),
      variations: variations.checked,
      where: where.hidden ? "" : where.value,
      limit: null,
    });
  }

  async function saveAs(): Promise<void> {
    const { job } = runner;
    const name =
      job &&
      (await askText({
        title: "Save matches",
        label: session.state.archive
          ? "File name; it is written beside the archive"
          : "File name; it is written beside the first file",
        value: "matches.pgn",
      }));
    if (name) await write(job.job, name, false);
  }

  async function write(job: number, as: string, force: boolean): Promise<void> {
    await session.attempt(async () => {
      try {
        await saver.startOrThrow("query/save", { job, as, force });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "exists" || force) throw error;
        if (await confirmed("Save matches", `${error.message}. Overwrite it?`, "Overwrite")) await write(job, as, true);
      }
    });
  }

  async function step(by: number): Promise<void> {
    const index = chosen + by;
    if (index < 0 || index >= total)
      return session.note(total === 0 ? "no matches; ask a query first" : "no more matches");
    chosen = index;
    const { rows } = await runner.fetch(index, 1);
    const [row] = rows;
    if (row && row.game !== null) await session.jump(row.game, { node: row.node });
    list.scrollTo(index);
  }

  function adapt(): void {
    where.hidden = file.value === "" || !session.state.files[Number(file.value)]?.archive;
  }

  file.addEventListener("change", adapt);
  const saveButton = button("Save as", "save the matches as a new file", () => void saveAs(), { disabled: true });
  query.field.addEventListener("input", check);
  query.field.addEventListener("keyup", showHelp);
  query.field.addEventListener("click", showHelp);
  query.field.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter") void run(event);
  });
  const element = h(
    "div.ask-view",
    {},
    h(
      "form",
      { onsubmit: (event: Event) => void run(event) },
      h("div.field", {}, query.element, completer.element),
      faults,
      help,
      h(
        "div.row",
        {},
        file,
        where,
        h("label", {}, variations, " variations"),
        h("button.primary", { type: "submit" }, "Find"),
        button("‹", "previous match", () => void step(-1)),
        button("›", "next match", () => void step(1)),
        saveButton,
      ),
    ),
    runner.element,
    saver.element,
    summary,
    list.element,
  );
  return {
    name: "Ask",
    element,
    topics: ["position", "files", "games"],
    update(topic) {
      if (topic === "games") void session.attempt(() => list.reload());
      if (topic !== "position") {
        const options = session.state.files.map((open) => h("option", { value: open.file }, open.name));
        const { archive } = session.state;
        const value = file.value || String(archive?.file ?? "");
        replace(file, !archive && h("option", { value: "" }, "all files"), ...options);
        file.value = value;
        adapt();
        check();
      }
      list.redraw();
    },
    step: (by) => void step(by),
  };
}

/** The words that can stand at the cursor, in a list below it. */
class Completer {
  readonly element = h("ul.completions", {
    role: "listbox",
    id: "completions",
    "aria-label": "Completions",
    hidden: true,
  });
  private found: Completion = { start: 0, end: 0, items: [] };
  private chosen = 0;

  constructor(
    private readonly query: MarkedField,
    private readonly session: Session,
  ) {
    const { field } = query;
    const complete = debounce(120, () => void this.load());
    field.setAttribute("aria-controls", "completions");
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", complete);
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("blur", () => this.close());
  }

  private async load(asked = false): Promise<void> {
    const { field } = this.query;
    const [text, at] = [field.value, field.selectionStart];
    await this.session.attempt(async () => {
      const found = await post<Completion>("query/complete", { query: text, at });
      const current = text === field.value && document.activeElement === field;
      const typed = text.slice(found.start, at);
      const useful = found.items.some((item) => item.word !== typed) && (asked || typed.length > 0);
      if (!current || !useful) return this.close();
      this.found = found;
      this.choose(0);
      const { left, top } = this.query.placeOf(found.start);
      this.element.style.left = `${left}px`;
      this.element.style.top = `${top}px`;
      this.element.hidden = false;
    });
  }

  private choose(index: number): void {
    this.chosen = index;
    replace(
      this.element,
      ...this.found.items.map((item, at) =>
        h(
          "li",
          {
            role: "option",
            id: `completion-${at}`,
            "aria-selected": String(at === index),
            onpointerdown: (event: Event) => this.take(at, event),
          },
          h("b", {}, item.word),
          h("small", {}, ` ${item.kind} ${item.help}`),
        ),
      ),
    );
    this.query.field.setAttribute("aria-activedescendant", `completion-${index}`);
    this.element.children[index]?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey && event.key === " ") {
      event.preventDefault();
      void this.load(true);
      return;
    }
    if (this.element.hidden || event.ctrlKey) return this.close();
    const { length } = this.found.items;
    if (event.key === "ArrowDown") this.choose((this.chosen + 1) % length);
    else if (event.key === "ArrowUp") this.choose((this.chosen + length - 1) % length);
    else if (event.key === "Tab" || event.key === "Enter") this.take(this.chosen, event);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  private take(index: number, event: Event): void {
    event.preventDefault();
    const item = this.found.items[index];
    if (item) this.query.insert(this.found.start, this.found.end, item.word);
    this.close();
  }

  private close(): void {
    this.element.hidden = true;
    this.query.field.removeAttribute("aria-activedescendant");
  }
}
