// The interface of the server (API.md): its types, and requests that throw an `ApiError` with a code.

export type Color = "white" | "black";
export type Player = "left" | "right";

export interface OpenFile {
  file: number;
  name: string;
  path: string | null;
  first_game: number;
  games: number;
  /** Its games can only be read. */
  archive: boolean;
  changed: boolean;
  new: boolean;
  changed_on_disk: boolean;
  undo: string | null;
  redo: string | null;
  obstacle: { code: string; message: string } | null;
  journal_trouble: string | null;
}

export interface State {
  version: string;
  epoch: number;
  rev: number;
  read_only: boolean;
  clip: boolean;
  /** There are archives for opening statistics. */
  archives: boolean;
  games: number;
  /** The archive whose games are open; before them is one game to play moves in. */
  archive: { file: number; path: string; games: number } | null;
  files: OpenFile[];
  jobs: Job[];
}

export interface Change {
  epoch: number;
  rev: number;
  file: number;
  game: number;
  node: number;
  summary: string;
  by: string | null;
}

export interface Window<Row> {
  total: number;
  from: number;
  rows: Row[];
}

export interface GameRow {
  game: number;
  file: number;
  number: number;
  title: string;
  white: string;
  black: string;
  event: string;
  result: string;
  ratings: [number, number];
  date: string;
  opening: string;
  moves: number;
  changed: boolean;
}

export interface GameDetails {
  game: number;
  file: number;
  title: string;
  tags: [string, string][];
  result: string;
  start: string;
  variant: string;
  nodes: number;
  lines: number;
  changed: boolean;
}

export interface Cell {
  node: number;
  san: string;
  glyphs: string;
  label: string;
  choice: number;
  lines: number;
  ends: boolean;
  comment: boolean;
  transposes: boolean;
  matches: boolean;
  matches_below: boolean;
  result: string;
  /** In positions mode: the game of the place, and whether this is the current position. */
  game?: number;
  current?: boolean;
}

export interface TableRow {
  number: number;
  first: Cell | null;
  second: Cell | null;
  alternatives: Cell[];
  more: number;
}

export interface Shape {
  from: string;
  to: string | null;
  color: string;
}

export interface Legal {
  uci: string;
  san: string;
  node: number | null;
}

export interface Position {
  epoch: number;
  rev: number;
  game: number;
  node: number;
  parent: number | null;
  ply: number;
  followed: number | null;
  fen: string;
  turn: Color;
  check: boolean;
  over: string | null;
  last: { uci: string; san: string; text: string } | null;
  path: string;
  moves: string[] | null;
  legal: Legal[];
  next: number | null;
  line_end: number | null;
  depth: number;
  rank: [number, number] | null;
  comment: string;
  comment_before: string;
  nags: { nag: number; glyph: string }[];
  shapes: Shape[];
  clock: number | null;
  eval: string | null;
  opening: { eco: string; name: string; ply: number } | null;
  marks: boolean;
  transposes: boolean;
  table: Window<TableRow> & { current: number | null };
}

export type Score = "1-0" | "1/2-1/2" | "0-1" | "*";

export interface Orders {
  times: number;
  complete: boolean;
  orders: {
    game: number;
    node: number;
    path: string;
    current: boolean;
    times: number;
    joins: string | null;
    next: string[];
    below: number;
    link: string | null;
  }[];
  continuations: {
    san: string;
    uci: string;
    game: number;
    node: number;
    times: number;
    orders: number[];
    results: Record<Score, number>;
  }[];
}

interface ArchivedGame {
  archive: string;
  number: number;
  white: string;
  white_elo: number | null;
  black: string;
  black_elo: number | null;
  result: string;
  date: string;
  event: string;
}

export interface Opening {
  eco: string | null;
  opening: string | null;
  games: number;
  moves: {
    san: string;
    uci: string;
    games: number;
    share: number;
    white: number;
    draws: number;
    black: number;
    average_elo: number | null;
    performance: number | null;
    last_year: number | null;
  }[];
  best: ArchivedGame[];
  latest: ArchivedGame[];
}

export interface NotationMove {
  node: number;
  number: string;
  san: string;
  glyphs: string;
  comment: string;
  folds: boolean;
}

export type Block =
  | { kind: "moves"; depth: number; opens: number | null; moves: NotationMove[] }
  | { kind: "text"; depth: number; node: number | null; before: boolean; text: string }
  | { kind: "folded"; depth: number; node: number; text: string; lines: number };

export interface Notation {
  epoch: number;
  rev: number;
  total: number;
  from: number;
  current: number | null;
  blocks: Block[];
}

export interface Folds {
  all: boolean | null;
  closed: number[];
  open: number[];
}

export interface PictureItem {
  node: number;
  parent: number | null;
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  kind: "start" | "move" | "run" | "folded";
  mainline: boolean;
  lines: number;
  folded: number;
  px: number | null;
  py: number | null;
}

export interface Picture {
  width: number;
  height: number;
  items: PictureItem[];
  arcs: { from: number; to: number; x1: number; y1: number; x2: number; y2: number }[];
  current: { x: number; y: number } | null;
}

export interface Edited {
  epoch: number;
  rev: number;
  summary: string;
  file: number;
  game: number;
  node: number;
}

export interface Job<Row = unknown, Result = unknown> {
  job: number;
  kind: string;
  title: string;
  state: "running" | "done" | "canceled" | "failed";
  progress: { done: number; all: number | null; unit: string } | null;
  message: string;
  result: Result;
  total: number;
  from?: number;
  rows?: Row[];
}

export interface Finding {
  kind: string;
  severity: string;
  message: string;
  game: number | null;
  node: number;
  path: string;
  /** The path of another place that is involved, and its game if it is another one. */
  other: string | null;
  other_game: number | null;
}

export interface Difference {
  kind: string;
  path: string;
  moves: number;
  old: string[];
  new: string[];
  old_game: number | null;
  old_node: number | null;
  new_game: number | null;
  new_node: number | null;
}

export interface Verdict {
  verdict: string;
  white: string;
  black: string;
  result: string;
  side: Color;
  opening: string;
  played: string | null;
  book: string[];
  game: number | null;
  node: number;
  path: string;
  book_game: number | null;
  book_node: number | null;
  detours: number;
}

export interface Match {
  title: string;
  /** Null if the game was deleted since. */
  game: number | null;
  node: number;
  /** Null if the node was deleted since. */
  path: string | null;
  fen: string | null;
  last: string | null;
}

export interface QueryResult {
  games: number;
  positions: number;
  read: number;
  given_up: number;
}

export interface Diagnostic {
  start: number;
  end: number;
  message: string;
  help: string | null;
  warning: boolean;
}

export interface Completion {
  start: number;
  end: number;
  items: { word: string; kind: string; help: string }[];
}

export interface QueryHelp {
  word: string | null;
  start?: number;
  end?: number;
  help?: string;
}

export interface SumGame {
  name: string;
  summary: string;
  board: boolean;
  strip: boolean;
}

export interface Component {
  game: string;
  text: string;
  rows: string[] | null;
  strip: boolean;
}

export interface SumCheck {
  faults: { start: number; end: number; message: string }[];
  sum: string;
  components: Component[];
}

export interface SumMove {
  move: string;
  component: number;
  wins: boolean | null;
  sum: string;
}

/** `value`, `outcome`, `left_stop` and more. */
export type SumValue = Record<string, string | number | null>;

/** A corner of a wall; the numbers are for drawing, the texts are exact. */
export interface Corner {
  t: number;
  x: number;
  t_text: string;
  x_text: string;
}

export interface ThermographData {
  svg: string | null;
  left: Corner[];
  right: Corner[];
  mean: string;
  temperature: string;
}

export interface Solution {
  outcome?: string | null;
  possible?: string[];
  moves?: Record<Player, SumMove[]> | null;
  value?: SumValue | null;
  thermograph?: ThermographData | null;
  gave_up?: Record<string, string>;
}

export interface Strategy {
  winner: string;
  first: string;
  lines: number;
  nodes: { parent: number | null; player: string | null; move: string | null; link: number | null }[];
}

export interface Reply {
  move: string | null;
  sum: string;
  confidence: "winning" | "losing" | "guess" | null;
}

/** An answer with a status from 400; `code` is one of those in API.md, or `offline`. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Names this tab, so that it can tell its own changes from those of others. */
export const client = crypto.randomUUID();

type Parameters = Record<string, string | number | null | undefined>;

export function get<T>(route: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  return request<T>(`api/${route}?${search}`, { signal: signal ?? null });
}

export function post<T>(route: string, body: object, signal?: AbortSignal): Promise<T> {
  return request<T>(`api/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Gametree-Client": client },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

async function request<T>(address: string, options: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("offline", "the server does not answer");
  }
  const noBody = (error: unknown) => {
    if (isAbort(error)) throw error;
    return null;
  };
  const body = (await answer.json().catch(noBody)) as { error?: { code: string; message: string } } | null;
  if (!answer.ok) throw new ApiError(body?.error?.code ?? "failed", body?.error?.message ?? answer.statusText);
  return body as T;
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
