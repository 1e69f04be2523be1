/** What passes between the router and the store's threads. */
import type { LaneAnswer } from '../procedure.ts';
import type { Failure } from './failures.ts';

export type ThreadData = Readonly<{
  role: 'writer' | 'reader';
  file: string;
  /** The registry module's URL. */
  registry: string;
  /** Whether this is one of a router's threads; such a reader also moves the log into the database. */
  besideWriter: boolean;
}>;

export type Ask =
  | Readonly<{ kind: 'procedure'; name: string; input: unknown }>
  | Readonly<{ kind: 'lane'; name: string; operations: readonly unknown[] }>
  | Readonly<{ kind: 'checkpoint' }>
  | Readonly<{ kind: 'close' }>;

export type Request = Readonly<{ id: number; ask: Ask }>;

export type Reply =
  | Readonly<{ kind: 'ready' }>
  | Readonly<{ kind: 'part'; id: number; answers: readonly LaneAnswer<unknown>[] }>
  | Readonly<{ kind: 'done'; id: number; value: unknown }>
  | Readonly<{ kind: 'failed'; id: number; failure: Failure }>;

/** `frames`: pages in the write-ahead log; `left`: how many of them the database does not have yet. */
export type LogFigures = Readonly<{ frames: number; left: number }>;
