// The messages of docs/web.md. Win rates (0 to 1) and scores are Black's; times are milliseconds.

export type Side = "b" | "w";

export interface Stones {
  black: string[];
  white: string[];
}

export interface GoStart {
  size: number;
  komi: number;
  rules: string | object;
  handicap?: number;
  setup?: Partial<Stones>;
  turn?: Side;
  recorded?: boolean; // a record of others: moves against the ko rule, and suicides, are played as they stand
}

export interface ShogiStart {
  sfen: string;
}

export type GoPosition = { game: "go"; moves: string[] } & GoStart;
export type ShogiPosition = { game: "shogi"; moves: string[] } & ShogiStart;
export type Position = GoPosition | ShogiPosition;

export interface Hello {
  type: "hello";
  protocol: number;
  version: string;
  games: string[];
  levels: { min: number; max: number };
  rules: string[];
  handicaps: { name: string; sfen: string }[];
  formats: string[];
  backends: string[];
  networks?: string[];
  threads: number;
  searches: Record<string, string[]>;
  limits: { message_bytes: number; idle_ms: number; moves: number };
}

export interface Over {
  winner: Side | null;
  reason: string;
}

export interface PositionReply {
  type: "position";
  turn: Side;
  legal: string[];
  board?: string;
  sfen?: string;
  check?: boolean;
  declares?: boolean;
  over: Over | null;
}

export interface ClockSide {
  left_ms: number;
  count: number;
}

export interface ClockState {
  kind: "absolute" | "byoyomi" | "canadian" | "fischer";
  main_ms: number;
  period_ms: number;
  count: number;
  b: ClockSide;
  w: ClockSide;
}

export interface MoveReply {
  type: "move";
  move: string;
  winrate: number;
  score?: number;
  elapsed_ms: number;
  pv: string[];
  stopped: boolean;
  book?: boolean;
}

export interface Candidate {
  move: string;
  visits: number;
  winrate: number;
  lcb?: number;
  score?: number;
  prior?: number;
  pv: string[];
  pv_visits?: number[];
  cp?: number;
  mate?: number;
  depth?: number;
  seldepth?: number;
  words?: string;
}

export interface Report {
  type: "report";
  id: number;
  final: boolean;
  stopped?: boolean;
  turn: Side;
  winrate: number;
  score?: number;
  visits: number;
  nodes: number;
  nps: number;
  depth?: number;
  elapsed_ms: number;
  memory_full?: number;
  search?: string;
  backend?: string;
  moves: Candidate[];
  ownership?: number[];
  policy?: number[];
}

export interface JudgeReply {
  type: "judge";
  dead: string[];
  owner: number[];
  ownership?: number[];
  score: number;
  text: string;
  settled?: boolean;
}

export interface PlayoutReply {
  type: "playout";
  moves: string[];
  score: number;
  policy: string;
}

export interface Found {
  winrate: number;
  score?: number;
  visits?: number;
  nodes?: number; // of a search that counts no visits
  cp?: number;
  mate?: number;
  depth?: number;
  pv?: string[];
}

export interface RecordNode {
  parent: number;
  move?: string;
  comment?: string;
  time_ms?: number;
  end?: string;
  setup?: { black?: string[]; white?: string[]; empty?: string[]; turn?: Side };
  winrate?: number;
  found?: Found;
}

export interface GameRecord {
  game: "go" | "shogi";
  start: GoStart | ShogiStart;
  headers: Record<string, string>;
  nodes: RecordNode[];
}

export interface RecordReply {
  type: "record.read";
  format: string;
  games: number;
  warnings: string[];
  record: GameRecord;
}

export interface TextReply {
  type: "record.write";
  format: string;
  text: string;
  lost: string | null;
}

export interface ReviewMove {
  type: "review.move";
  id: number;
  index: number;
  done: number;
  total: number;
  winrate: number;
  score?: number;
  visits?: number;
  nodes?: number;
  depth?: number;
  best: string;
  pv: string[];
  lost: number;
  cp?: number;
  mate?: number;
}

export interface ReviewSide {
  moves: number;
  lost: number;
  matched: number;
}

export interface ReviewReply {
  type: "review";
  stopped: boolean;
  worst: { index: number; side: Side; move: string; lost: number; better: string; pv: string[] }[];
  b: ReviewSide;
  w: ReviewSide;
}

export interface LiveEngine {
  name: string;
  command: string;
  elo: number;
  half: number | null;
  wins: number;
  losses: number;
  draws: number;
}

export interface LiveTable {
  game: number;
  black: number;
  white: number;
  moves: number;
  board: string;
  last: string;
}

export interface LiveMatch {
  game: "go" | "shogi";
  size?: number;
  games: number;
  done: number;
  left: string;
  engines: LiveEngine[];
  difference?: { elo: number | null; low: number | null; high: number | null };
  tables: LiveTable[];
}

export interface LiveCluster {
  name: string;
  game: "go" | "shogi";
  workers: { name: string; engine: string; busy: boolean; nodes: number }[];
}

export interface LiveReply {
  type: "live";
  matches: LiveMatch[];
  clusters: LiveCluster[];
}

export interface ErrorReply {
  type: "error";
  id: number | null;
  code: string;
  message: string;
  hint?: string;
  index?: number;
}

export interface Limit {
  visits?: number;
  time_ms?: number;
  nodes?: number;
}

/** Each request with the message that ends it. */
export interface Requests {
  hello: { send: object; reply: Hello };
  position: { send: { position: Position }; reply: PositionReply };
  move: {
    send: { position: Position; level?: number; every_ms?: number; time_ms?: number; clock?: ClockState };
    reply: MoveReply;
  };
  analyze: {
    send: {
      position: Position;
      every_ms?: number;
      max_moves?: number;
      pv_length?: number;
      ownership?: boolean;
      policy?: boolean;
      limit?: Limit;
      only?: string[];
      avoid?: string[];
    };
    reply: Report;
  };
  stop: { send: { of?: number }; reply: { type: "stop"; stopped: boolean } };
  judge: { send: { position: Position; dead?: string[] }; reply: JudgeReply };
  playout: { send: { position: Position; number: number }; reply: PlayoutReply };
  "record.read": { send: { text?: string; bytes?: string; name?: string; index?: number }; reply: RecordReply };
  "record.write": { send: { record: GameRecord; format: string }; reply: TextReply };
  live: { send: object; reply: LiveReply };
  review: { send: { position: Position; limit?: Limit }; reply: ReviewReply };
}

export type RequestType = keyof Requests;

/** Whether a message is the last answer to its request. */
export function isLast(message: { type: string; final?: boolean }, request: RequestType): boolean {
  if (message.type === "error") return true;
  if (message.type === "report") return request === "analyze" && message.final === true;
  return message.type === request;
}
