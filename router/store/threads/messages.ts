/** The messages between the router and any of the store's threads. */
import type { BatchAnswer } from '../procedure.ts';
import type { Failure } from './failures.ts';

export type ThreadCommand =
  | Readonly<{ kind: 'procedure'; name: string; input: unknown }>
  | Readonly<{ kind: 'close' }>;

/** `More`: the messages that only threads of one database take. */
export type Request<More = never> = Readonly<{ id: number; command: ThreadCommand | More }>;

export type Reply =
  | Readonly<{ kind: 'ready' }>
  | Readonly<{ kind: 'part'; id: number; answers: readonly BatchAnswer<unknown>[] }>
  | Readonly<{ kind: 'done'; id: number; value: unknown }>
  | Readonly<{ kind: 'failed'; id: number; failure: Failure }>;
