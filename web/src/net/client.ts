// The connection to the server: numbers requests, hands answers to whoever asked, and connects again
// after a loss. A request that was under way is sent again then: the server keeps nothing of it.
import { Value } from "../base/value";
import { type ErrorReply, type Hello, isLast, type Report, type Requests, type RequestType, type ReviewMove } from "./protocol";

/** refused: the server is there, but takes this page's key no longer. */
export type ConnectionState = "connecting" | "open" | "lost" | "refused";
export type Progress = Report | ReviewMove;

export class RequestError extends Error {
  constructor(readonly reply: ErrorReply) {
    super(reply.hint ? `${reply.message}; ${reply.hint}` : reply.message);
  }
}

interface Pending {
  type: RequestType;
  text: string;
  progress?: (message: Progress) => void;
  resolve: (message: never) => void;
  reject: (error: Error) => void;
}

export interface Handle<T> {
  id: number;
  done: Promise<T>;
  /** No further message of this request is wanted; the server is not told. */
  forget(): void;
}

/** The part of a WebSocket that is used, so that tests can bring their own. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => unknown) | null;
  onclose: ((event: never) => unknown) | null;
  onmessage: ((event: { data: string }) => unknown) | null;
}

/** Longer than the server takes: it would close the connection, and the next one for the same request. */
export class TooLong extends Error {
  constructor(most: number) {
    super(`too long: at most ${Math.floor(most / 1000)} KB`);
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const usualLimit = 1 << 20; // until the server has told its own
const firstDelay = 250;
const lastDelay = 8000;

export class Client {
  readonly state = new Value<ConnectionState>("connecting");
  readonly hello = new Value<Hello | null>(null);
  readonly notice = new Value<string>("");
  private socket: Socket | null = null;
  private pending = new Map<number, Pending>();
  private nextId = 1;
  private delay = firstDelay;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly open: () => Socket,
    private readonly isRefused: () => Promise<boolean> = () => Promise.resolve(false),
  ) {}

  connect(): void {
    clearTimeout(this.timer);
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    socket.onmessage = (event) => this.received(event.data);
  }

  private opened(): void {
    this.delay = firstDelay;
    for (const request of this.pending.values()) this.socket?.send(request.text);
    this.state.set("open");
    this.request("hello", {}).done.then(
      (hello) => this.hello.set(hello),
      () => undefined,
    );
  }

  private lost(): void {
    this.socket = null;
    if (this.state.get() !== "refused") this.state.set("lost");
    void this.findOut();
    // A new hello comes with the new connection.
    for (const [id, request] of this.pending) if (request.type === "hello") this.pending.delete(id);
    this.timer = setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(this.delay * 2, lastDelay);
  }

  /** Why there is no connection: a handshake that the server refuses looks like a server that is not there. */
  private async findOut(): Promise<void> {
    const refused = await this.isRefused();
    if (this.socket === null) this.state.set(refused ? "refused" : "lost");
  }

  private received(text: string): void {
    let message: { type: string; id?: number | null; final?: boolean; text?: string };
    try {
      message = JSON.parse(text) as typeof message;
    } catch {
      return; // not ours
    }
    if (message.type === "notice") this.notice.set(message.text ?? "");
    if (typeof message.id !== "number") {
      if (message.type === "error") this.notice.set((message as unknown as ErrorReply).message);
      return;
    }
    const request = this.pending.get(message.id);
    if (!request) return;
    if (!isLast(message, request.type)) {
      request.progress?.(message as unknown as Progress);
      return;
    }
    this.pending.delete(message.id);
    if (message.type === "error") request.reject(new RequestError(message as unknown as ErrorReply));
    else request.resolve(message as never);
  }

  request<T extends RequestType>(
    type: T,
    send: Requests[T]["send"],
    progress?: (message: Progress) => void,
  ): Handle<Requests[T]["reply"]> {
    const id = this.nextId++;
    const text = JSON.stringify({ type, id, ...send });
    const most = this.hello.get()?.limits.message_bytes ?? usualLimit;
    if (bytesOf(text) > most) return { id, done: Promise.reject(new TooLong(most)), forget: () => undefined };
    const done = new Promise<Requests[T]["reply"]>((resolve, reject) => {
      this.pending.set(id, { type, text, progress, resolve, reject } as Pending);
    });
    if (this.state.get() === "open") this.socket?.send(text);
    return { id, done, forget: () => this.pending.delete(id) };
  }

  /** Stops the search of a request and waits for nothing. */
  stop(handle: Handle<unknown>): void {
    const known = this.pending.has(handle.id);
    handle.forget();
    if (known && this.state.get() === "open") this.request("stop", { of: handle.id }).done.catch(() => undefined);
  }
}

/** Whether the server refuses the page's secret: it makes another at each start. */
export async function pageIsRefused(): Promise<boolean> {
  const url = new URL("health", location.href);
  url.search = location.search;
  return fetch(url).then(
    (reply) => reply.status === 403,
    () => false,
  );
}

/** The WebSocket beside the page, with the page's secret if it has one. */
export function pageSocket(): Socket {
  const url = new URL("ws", location.href);
  url.search = location.search;
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url) as unknown as Socket;
}
