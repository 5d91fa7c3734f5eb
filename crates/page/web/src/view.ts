// A part of the page behind a tab: drawn when it is visible and one of its topics changes.

import type { Topic } from "./session";

export interface View {
  name: string;
  element: HTMLElement;
  topics: Topic[];
  update(topic: Topic | "shown", detail?: unknown): void;
}
