// Lists of places worth a look: audit findings, differences of two files, my games against the book.

import type { Color, Difference, Finding, Job, Verdict } from "./api";
import { count, h, replace } from "./dom";
import { JobRunner } from "./jobs";
import type { Session } from "./session";
import type { View } from "./view";
import { WindowedList } from "./windowed";

type Row = Finding | Difference | Verdict;
interface Result {
  counts?: Record<string, number>;
  openings?: { name: string; games: number; score: number | null }[];
}

export function checksView(session: Session): View {
  const summary = h("div.summary");
  const runner = new JobRunner<Row, Result>(session, (job) => {
    showSummary(job);
    void session.attempt(() => list.reload());
  });
  const list = new WindowedList<Row>({
    label: "Findings",
    height: 64,
    empty: "Nothing found yet. Start one of the checks above.",
    fetch: (from, size) => runner.fetch(from, size),
    render: (row) =>
      "verdict" in row
        ? verdictRow(session, row)
        : "severity" in row
          ? findingRow(session, row)
          : differenceRow(session, row),
  });

  function showSummary(job: Job<Row, Result>): void {
    const counts = Object.entries(job.result?.counts ?? {}).map(([kind, number]) => `${number} ${kind}`);
    const openings = job.result?.openings ?? [];
    replace(
      summary,
      job.state === "done" && h("p", {}, counts.length > 0 ? counts.join(", ") : count(job.total, "row")),
      openings.length > 0 &&
        h("details", {}, h("summary", {}, "By opening"), h("ul", {}, ...openings.map(openingLine))),
    );
  }

  const forms = h("div.checks");
  const element = h("div.checks-view", {}, forms, runner.element, summary, list.element);

  function showForms(): void {
    const names = session.state.files.map((file): [string, string] => [String(file.file), file.name]);
    const all: [string, string][] = [["", "all files"], ...names];
    const last = names.at(-1)?.[0] ?? "0";
    const audit = { file: select("File", all, ""), side: sideSelect() };
    const diff = { old: select("Old file", names, "0"), new: select("New file", names, last) };
    const against = {
      book: select("Book", names, "0"),
      games: select("Games", names, last),
      side: sideSelect(),
      player: h("input", { type: "text", placeholder: "any", size: 10 }),
    };
    replace(
      forms,
      form("Audit", "Find dead ends, split theory, double answers and duplicates", [audit.file, audit.side], () =>
        runner.start("audit", { file: number(audit.file), side: side(audit.side) }),
      ),
      names.length > 1 &&
        form("Compare files", "Differences of two files, as trees", [diff.old, diff.new], () =>
          runner.start("diff", { old: number(diff.old), new: number(diff.new) }),
        ),
      names.length > 1 &&
        form(
          "My games against the book",
          "Where games leave the book",
          [against.book, against.games, against.side, field("Player", against.player)],
          () =>
            runner.start("against", {
              book: number(against.book),
              games: number(against.games),
              side: side(against.side),
              player: against.player.value || null,
            }),
        ),
    );
  }

  let files = "";
  return {
    name: "Checks",
    element,
    topics: ["files", "games"],
    update(topic) {
      const now = session.state.files.map((file) => file.name).join("\n");
      if (now !== files) showForms();
      files = now;
      // The rows name games by other numbers after chapters were moved.
      if (topic === "games") void session.attempt(() => list.reload());
      else list.redraw();
    },
  };
}

function openingLine({ name, games, score }: { name: string; games: number; score: number | null }): HTMLElement {
  return h("li", {}, `${name}: ${count(games, "game")}`, score !== null && `, score ${Math.round(score * 100)} %`);
}

function form(title: string, help: string, fields: HTMLElement[], run: () => Promise<void>): HTMLElement {
  const submit = (event: Event) => {
    event.preventDefault();
    void run();
  };
  return h(
    "form.row",
    { onsubmit: submit, "aria-label": title },
    ...fields,
    h("button.primary", { type: "submit", title: help }, title),
  );
}

function field(name: string, input: HTMLElement): HTMLElement {
  return h("label", {}, h("span", {}, name + " "), input);
}

function select(name: string, options: [value: string, text: string][], chosen: string): HTMLElement {
  return field(
    name,
    h("select", {}, ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))),
  );
}

function sideSelect(): HTMLElement {
  return select(
    "Side",
    [
      ["", "guess"],
      ["white", "White"],
      ["black", "Black"],
    ],
    "",
  );
}

function valueOf(label: HTMLElement): string {
  return label.querySelector("select")!.value;
}

function number(label: HTMLElement): number | null {
  return valueOf(label) === "" ? null : Number(valueOf(label));
}

function side(label: HTMLElement): Color | null {
  return (valueOf(label) || null) as Color | null;
}

function row(
  session: Session,
  place: { game: number | null; node: number | null },
  title: string,
  text: string,
  other?: HTMLElement | false | null,
): HTMLElement {
  const { game, node } = place;
  const open = () => game !== null && node !== null && void session.jump(game, { node });
  return h(
    "div.finding",
    {},
    h("div.row", {}, h("button.link", { type: "button", title, onclick: open }, title || "starting position"), other),
    h("p", {}, text),
  );
}

function findingRow(session: Session, finding: Finding): HTMLElement {
  const { other, other_game: game } = finding;
  const open = (at: number | null, place: string) => at !== null && void session.jump(at, { place });
  const there =
    other !== null &&
    h(
      "button",
      { type: "button", onclick: () => open(game ?? finding.game, other) },
      "other place",
    );
  return row(session, finding, finding.path, `${finding.kind}: ${finding.message}`, there);
}

function differenceRow(session: Session, difference: Difference): HTMLElement {
  const { old_game, old_node, new_game, new_node } = difference;
  const inNew = new_node !== null;
  const place = inNew ? { game: new_game, node: new_node } : { game: old_game, node: old_node };
  const there =
    inNew &&
    old_node !== null &&
    h(
      "button",
      { type: "button", onclick: () => old_game !== null && void session.jump(old_game, { node: old_node }) },
      "old place",
    );
  const element = row(session, place, difference.path, difference.kind, there);
  element.lastElementChild!.append(
    ...difference.old.map((text) => h("del", {}, text)),
    ...difference.new.map((text) => h("ins", {}, text)),
  );
  return element;
}

function verdictRow(session: Session, verdict: Verdict): HTMLElement {
  const { book_game, book_node } = verdict;
  const there =
    book_node !== null &&
    h(
      "button",
      { type: "button", onclick: () => book_game !== null && void session.jump(book_game, { node: book_node }) },
      "in the book",
    );
  const players = `${verdict.white} – ${verdict.black} ${verdict.result}`;
  const book = verdict.book.length > 0 ? `; book: ${verdict.book.join(", ")}` : "";
  return row(session, verdict, verdict.path, `${verdict.verdict}: ${verdict.played ?? ""}${book} · ${players}`, there);
}
