// Records in and out: dropped, pasted, opened, saved. The server reads and writes them.
import { Value } from "../base/value";
import type { Document } from "../game/document";
import { gameOf, recordOf } from "../game/record";
import { t } from "../i18n/text";
import { type Client, TooLong } from "../net/client";
import type { GameRecord, GoStart } from "../net/protocol";

const largest = 4_000_000; // bytes that are read into the page at all; the server takes fewer

/** Text where the bytes are UTF-8, else null. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}

/** The server then plays what is against the ko rule or suicide, too. */
function asRecorded(record: GameRecord): GameRecord {
  return record.game === "go" ? { ...record, start: { ...(record.start as GoStart), recorded: true } } : record;
}

type Sent = { text?: string; bytes?: string; name?: string };

/** A file of several games, of which one is on the board. */
interface Collection {
  sent: Sent;
  games: number;
  index: number; // from 0
}

export class Files {
  readonly problem = new Value("");
  readonly warnings = new Value<string[]>([]);
  readonly collection = new Value<Collection | null>(null);
  onOpened: () => void = () => undefined;

  constructor(
    private readonly client: Client,
    private readonly doc: Document,
  ) {
    doc.game.subscribe(() => this.collection.set(null));
  }

  async openFile(file: File): Promise<void> {
    if (file.size > largest) {
      this.fail(new TooLong(largest), file.name);
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = utf8(bytes);
    await this.read({ ...(text === null ? { bytes: base64(bytes) } : { text }), name: file.name });
  }

  async openText(text: string): Promise<void> {
    if (text.trim() !== "") await this.read({ text });
  }

  /** Another game of the file. */
  async openGame(index: number): Promise<void> {
    const collection = this.collection.get();
    if (collection) await this.read(collection.sent, index);
  }

  private async read(sent: Sent, index = 0): Promise<void> {
    this.problem.set("");
    this.warnings.set([]);
    try {
      const reply = await this.client.request("record.read", { ...sent, index }).done;
      const { game, problem } = gameOf(asRecorded(reply.record));
      this.doc.open(game);
      if (reply.games > 1) this.collection.set({ sent, games: reply.games, index });
      const left = problem ? [t("illegalInRecord", { n: problem.ply, move: problem.move })] : [];
      const others = reply.games > 1 && index === 0 ? [t("moreGames", { n: reply.games })] : [];
      this.warnings.set([...others, ...reply.warnings, ...left]);
      this.onOpened();
    } catch (error) {
      this.fail(error as Error, sent.name);
    }
  }

  private fail(error: Error, name?: string): void {
    const isNamed = name === undefined || error.message.startsWith(name);
    this.problem.set(isNamed ? error.message : `${name}: ${error.message}`);
  }

  /** The game as text of a format, or null where the server refuses it. */
  async write(format: string): Promise<string | null> {
    this.problem.set("");
    try {
      const record = recordOf(this.doc.game.get());
      const reply = await this.client.request("record.write", { record, format }).done;
      if (reply.lost) this.warnings.set([reply.lost]);
      return reply.text;
    } catch (error) {
      this.problem.set((error as Error).message);
      return null;
    }
  }

  async save(format: string): Promise<void> {
    const text = await this.write(format);
    if (text === null) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    link.download = `game.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
