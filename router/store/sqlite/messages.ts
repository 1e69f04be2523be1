/** The messages between the router and the threads of SQLite, beside those of any thread. */
import type { BatchAnswer } from '../procedure.ts';
import type { BatchFigures } from '../store.ts';
import type { ThreadCommand } from '../threads/messages.ts';

export type ThreadData = Readonly<{
  role: 'writer' | 'reader' | 'heavy reader';
  file: string;
  /** The registry module's URL. */
  registry: string;
  /** Whether this is one of a router's threads; such a reader also runs checkpoints. */
  besideWriter: boolean;
  /** The path of a Unix socket on which other processes may call this thread, or null. */
  socket: string | null;
}>;

export type SqliteCommand =
  | Readonly<{ kind: 'batch'; name: string; operations: readonly unknown[] }>
  | Readonly<{ kind: 'count' }>
  | Readonly<{ kind: 'checkpoint'; transfers: bigint }>;

export type Command = ThreadCommand | SqliteCommand;

/** The end of a batch: its last answers, and how long it took. */
export type BatchResult = BatchFigures & Readonly<{ answers: readonly BatchAnswer<unknown>[] }>;

/** `frames`: pages in the write-ahead log; `left`: how many of them are not in the database yet. */
export type LogFigures = Readonly<{ frames: number; left: number }>;

/** The result of a checkpoint; `markFault`: why the mark beside the file was not written. */
export type Checkpointed = LogFigures & Readonly<{ markFault: string | null }>;
