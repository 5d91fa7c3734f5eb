// A list of rows of equal height that makes and fetches only those in sight.

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
    const top = index * this.source.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + this.source.height > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    }
  }

  private firstInSight(): number {
    return Math.floor(this.element.scrollTop / this.source.height);
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
    const view = `${this.generation} ${first} ${last} ${missing.size} ${this.total}`;
    if (view !== this.drawn) {
      this.drawn = view;
      for (let index = first; index < last; index += 1) {
        const row = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
        if (row !== undefined) rows.push(this.place(this.source.render(row, index), index));
      }
      this.spacer.style.height = `${this.total * this.source.height}px`;
      replace(this.spacer, ...(this.total === 0 ? [h("p.empty", { role: "listitem" }, this.source.empty)] : rows));
    }
    for (const page of missing) {
      await this.fetchPage(page);
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

  private place(row: HTMLElement, index: number): HTMLElement {
    row.setAttribute("role", "listitem");
    row.style.top = `${index * this.source.height}px`;
    row.style.height = `${this.source.height}px`;
    return row;
  }
}
