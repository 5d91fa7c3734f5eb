// A list of rows of equal height that makes and fetches only those in sight.

import { ApiError } from "./api";
import type { Window } from "./api";
import { h, replace } from "./dom";

interface Source<Row> {
  label: string;
  height: number;
  fetch(from: number, count: number): Promise<Window<Row>>;
  render(row: Row, index: number): HTMLElement;
  /** Text for an empty list. */
  empty: string;
}

const PAGE = 100;

/** Browsers limit the height of an element; a longer list is scrolled in larger steps. */
const TALLEST = 8_000_000;

export class WindowedList<Row> {
  readonly element: HTMLElement;
  private readonly spacer = h("div.spacer");
  private pages = new Map<number, Row[]>();
  private total = 0;
  private generation = 0;
  private drawn = "";

  constructor(private readonly source: Source<Row>) {
    this.element = h("div.windowed", { role: "list", "aria-label": source.label, tabindex: "0" }, this.spacer);
    this.element.addEventListener("scroll", () => void this.show(), { passive: true });
    new ResizeObserver(() => void this.show()).observe(this.element);
  }

  /** Fetches everything in sight again. */
  async reload(): Promise<void> {
    this.generation += 1;
    this.pages = new Map();
    this.drawn = "";
    await this.fetchPage(Math.floor(this.firstInSight() / PAGE));
    await this.show();
  }

  /** Draws the rows again without fetching them. */
  redraw(): void {
    this.drawn = "";
    void this.show();
  }

  scrollTo(index: number): void {
    const { height } = this.source;
    const { clientHeight } = this.element;
    const first = this.offset() / height;
    if (index < first || index + 1 > first + clientHeight / height) {
      this.element.scrollTop = Math.max(0, (index * height - clientHeight / 2) / this.scale());
    }
  }

  /** Pixels of rows for each pixel scrolled. */
  private scale(): number {
    return Math.max(1, (this.total * this.source.height) / TALLEST);
  }

  /** Pixels of rows above the part in sight. */
  private offset(): number {
    const { scrollTop, clientHeight } = this.element;
    if (this.scale() === 1) return scrollTop;
    // The last row must be in sight where scrolling ends.
    const part = scrollTop / Math.max(1, TALLEST - clientHeight);
    return part * Math.max(0, this.total * this.source.height - clientHeight);
  }

  private firstInSight(): number {
    return Math.floor(this.offset() / this.source.height);
  }

  private async show(): Promise<void> {
    if (this.element.clientHeight === 0) return;
    const first = Math.max(0, this.firstInSight() - 5);
    const last = Math.min(this.total, first + Math.ceil(this.element.clientHeight / this.source.height) + 10);
    const missing = new Set<number>();
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index += 1) {
      const row = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
      if (row === undefined) missing.add(Math.floor(index / PAGE));
    }
    // Rows of a list that is scrolled in larger steps move against the list.
    const shift = this.scale() > 1 ? this.element.scrollTop - this.offset() : 0;
    const view = `${this.generation} ${first} ${last} ${missing.size} ${this.total} ${shift}`;
    if (view !== this.drawn) {
      this.drawn = view;
      for (let index = first; index < last; index += 1) {
        const row = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
        if (row !== undefined) rows.push(this.place(this.source.render(row, index), index, shift));
      }
      this.spacer.style.height = `${Math.min(TALLEST, this.total * this.source.height)}px`;
      replace(this.spacer, ...(this.total === 0 ? [h("p.empty", { role: "listitem" }, this.source.empty)] : rows));
    }
    for (const page of missing) {
      try {
        await this.fetchPage(page);
      } catch (error) {
        // The rows stay blank; `reload` reports why.
        if (error instanceof ApiError) return;
        throw error;
      }
      void this.show();
    }
  }

  private async fetchPage(page: number): Promise<void> {
    const { generation } = this;
    const window = await this.source.fetch(page * PAGE, PAGE);
    if (generation !== this.generation) return;
    this.total = window.total;
    this.pages.set(page, window.rows);
  }

  private place(row: HTMLElement, index: number, shift: number): HTMLElement {
    row.setAttribute("role", "listitem");
    row.style.top = `${index * this.source.height + shift}px`;
    row.style.height = `${this.source.height}px`;
    return row;
  }
}
