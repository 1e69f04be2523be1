/** What passes between the router and the threads of SQLite, besides what any thread is asked. */
import type { Asked } from '../threads/messages.ts';

export type ThreadData = Readonly<{
  role: 'writer' | 'reader' | 'heavy reader';
  file: string;
  /** The registry module's URL. */
  registry: string;
  /** Whether this is one of a router's threads; such a reader also moves the log into the database. */
  besideWriter: boolean;
}>;

export type SqliteAsk =
  | Readonly<{ kind: 'lane'; name: string; operations: readonly unknown[] }>
  | Readonly<{ kind: 'checkpoint' }>;

export type Ask = Asked | SqliteAsk;

/** `frames`: pages in the write-ahead log; `left`: how many of them the database does not have yet. */
export type LogFigures = Readonly<{ frames: number; left: number }>;

/** What became of a checkpoint; `markFault`: why the mark beside the file could not be written, or null. */
export type Checkpointed = LogFigures & Readonly<{ markFault: string | null }>;
