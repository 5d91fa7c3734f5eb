// Below the board: where we are, and the comment, glyphs, clock and evaluation of this move, edited in place.

import { dropDraft, readDraft, writeDraft } from "./draft";
import { button, h, replace } from "./dom";
import { openMoveMenu } from "./menu";
import type { Session } from "./session";

const MOVE_GLYPHS: [nag: number, glyph: string, name: string][] = [
  [1, "!", "good move"],
  [2, "?", "mistake"],
  [3, "!!", "brilliant move"],
  [4, "??", "blunder"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
];

const OTHER_GLYPHS: [nag: number, glyph: string, name: string][] = [
  [7, "□", "only move"],
  [10, "=", "equal"],
  [13, "∞", "unclear"],
  [14, "⩲", "White is slightly better"],
  [15, "⩱", "Black is slightly better"],
  [16, "±", "White is better"],
  [17, "∓", "Black is better"],
  [18, "+−", "White is winning"],
  [19, "−+", "Black is winning"],
  [22, "⨀", "zugzwang"],
  [32, "⟳", "development"],
  [36, "→", "initiative"],
  [40, "↑", "attack"],
  [132, "⇆", "counterplay"],
  [138, "⊕", "time trouble"],
  [44, "=∞", "compensation"],
  [140, "∆", "with the idea"],
  [146, "N", "novelty"],
];

export class Annotations {
  readonly element: HTMLElement;
  /** The path to the position, apart from the fields: on a phone other things stand between them. */
  readonly place = h("p.path", { "aria-live": "polite", tabindex: 0 });
  private readonly glyphs = h("div.glyphs", { role: "group", "aria-label": "Glyphs" });
  private readonly more = h("div.glyphs", { role: "group", "aria-label": "More glyphs" });
  private readonly comment = commentField("Comment");
  private readonly before = commentField("Comment before the move");
  private readonly draftNote = h("p.draft", { hidden: true });
  private readonly clock = h("input", { type: "text", placeholder: "h:mm:ss", size: 8 });
  private readonly evaluation = h("input", { type: "text", placeholder: "0.35 or #5", size: 8 });
  private readonly entry = h("input", {
    type: "text",
    placeholder: "Nf3, 6Wc, e4 c5",
    autocomplete: "off",
    spellcheck: "false",
  });
  /** The place that the text fields belong to, also when the position changes while they have the focus. */
  private target = { game: 0, node: 0, draft: "" };

  constructor(private readonly session: Session) {
    const field = (label: string, input: HTMLElement) => h("label", {}, h("span", {}, label), input);
    this.element = h(
      "div.annotations",
      {},
      h("form.entry", { onsubmit: (event: Event) => void this.enter(event) }, field("Go to or play", this.entry)),
      this.glyphs,
      field("Comment", this.comment),
      this.draftNote,
      h(
        "details",
        {},
        h("summary", {}, "More about this move"),
        this.more,
        field("Comment before the move", this.before),
        h("div.row", {}, field("Clock", this.clock), field("Evaluation", this.evaluation)),
      ),
    );
    this.comment.addEventListener("input", () => writeDraft(this.target.draft, this.comment.value));
    this.saves(this.comment, "comment");
    this.saves(this.before, "comment-before");
    this.saves(this.clock, "clock");
    this.saves(this.evaluation, "eval");
    this.entry.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.entry.blur();
    });
    session.on("position", () => this.show());
  }

  focusComment(): void {
    this.comment.focus();
  }

  focusGlyphs(): void {
    this.glyphs.querySelector("button")?.focus();
  }

  focusEntry(): void {
    this.entry.focus();
    this.entry.select();
  }

  toggleGlyph(nag: number): void {
    void this.session.change("edit", ({ game, node, nags }) => {
      const has = nags.some((known) => known.nag === nag);
      return { game, node, verb: has ? "drop-nag" : "nag", text: `$${nag}` };
    });
  }

  private show(): void {
    const { session } = this;
    const { position } = session;
    replace(
      this.place,
      h("b", {}, position.path || "Starting position"),
      position.nags.length > 0 && " " + position.nags.map((nag) => nag.glyph).join(" "),
      position.over && ` · ${position.over}`,
      position.opening && h("span.opening", {}, ` ${position.opening.eco} ${position.opening.name}`),
      position.transposes && h("span.transposes", { title: "reached by several move orders" }, " ="),
    );
    this.place.scrollTop = this.place.scrollHeight;
    const menu = button("⋯", "menu of this move", (event) => openMoveMenu(session, session.position.node, event), {
      "aria-haspopup": "menu",
    });
    replace(this.glyphs, ...MOVE_GLYPHS.map((glyph) => this.glyphButton(...glyph)), menu);
    replace(this.more, ...OTHER_GLYPHS.map((glyph) => this.glyphButton(...glyph)));
    this.showTexts();
  }

  private showTexts(): void {
    const { position, file } = this.session;
    const draft = `comment ${file.path ?? file.name} ${position.game} ${position.moves?.join(",") ?? position.node}`;
    const moved = draft !== this.target.draft;
    const texts: [HTMLInputElement | HTMLTextAreaElement, string][] = [
      [this.comment, position.comment],
      [this.before, position.comment_before],
      [this.clock, position.clock === null ? "" : clockText(position.clock)],
      [this.evaluation, position.eval ?? ""],
    ];
    for (const [field, text] of texts) {
      // Text being typed is not replaced by a change made elsewhere.
      if (moved || !isTyping(field)) fill(field, text);
      field.readOnly = this.session.readOnly;
    }
    this.target = { game: position.game, node: position.node, draft };
    const kept = readDraft(draft);
    if (kept === position.comment) dropDraft(draft);
    const restore = kept !== null && kept !== position.comment && !isTyping(this.comment);
    if (restore) this.comment.value = kept;
    this.showDraft(restore);
  }

  private showDraft(restored: boolean): void {
    this.draftNote.hidden = !restored;
    if (!restored) return;
    replace(
      this.draftNote,
      "This comment was typed but not saved. ",
      button("Save it", "save the typed comment", () => void this.save(this.comment, "comment")),
      button("Discard it", "discard the typed comment", () => {
        dropDraft(this.target.draft);
        this.showTexts();
      }),
    );
  }

  private glyphButton(nag: number, glyph: string, name: string): HTMLElement {
    const pressed = this.session.position.nags.some((known) => known.nag === nag);
    return button(glyph, name, () => this.toggleGlyph(nag), { "aria-pressed": pressed });
  }

  private saves(field: HTMLInputElement | HTMLTextAreaElement, verb: string): void {
    field.addEventListener("blur", () => void this.save(field, verb));
    field.addEventListener("keydown", (event) => {
      const key = (event as KeyboardEvent).key;
      if (
        key === "Escape" ||
        (key === "Enter" && (field instanceof HTMLInputElement || (event as KeyboardEvent).ctrlKey))
      ) {
        event.preventDefault();
        field.blur();
      }
    });
  }

  private async save(field: HTMLInputElement | HTMLTextAreaElement, verb: string): Promise<void> {
    const { game, node, draft } = this.target;
    if (field.value === field.defaultValue) return;
    const text = field.value;
    const here = node === this.session.position.node && game === this.session.position.game;
    const saved = here
      ? await this.session.edit(verb, text, node, game)
      : await this.session.editElsewhere(verb, text, node, game);
    if (!saved) return;
    if (verb === "comment") dropDraft(draft);
    if (this.target.draft === draft && field.value === text) this.showTexts();
  }

  private async enter(event: Event): Promise<void> {
    event.preventDefault();
    const { game, node, legal } = this.session.position;
    const text = this.entry.value.trim();
    if (!text) return;
    const plain = (san: string) => san.replace(/[+#!?]+$/, "");
    const move = legal.find((candidate) => plain(candidate.san) === plain(text) || candidate.uci === text);
    const done = move
      ? await this.session.play({ uci: move.uci })
      : await this.session.jump(game, { place: text, at: node });
    if (done) this.entry.value = "";
  }
}

function commentField(name: string): HTMLTextAreaElement {
  return h("textarea", { rows: 3, "aria-label": name });
}

function isTyping(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  return document.activeElement === field && field.value !== field.defaultValue;
}

/** The default value is what the file has; the value may be newer. */
function fill(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.defaultValue = text;
  field.value = text;
}

function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
