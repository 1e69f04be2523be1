/** What passes between the router and a thread that reads bodies. The bytes are handed over, and back. */
import type { Fault } from './fault.ts';
import type { Facts, Reading } from './read.ts';

/** `fault`: as a plain object, since its class is lost on the way. */
export type Told = Readonly<{ facts: Facts } | { fault: Readonly<Pick<Fault, keyof Fault>> }>;

/** `blocks`: the bytes as they came, which the thread joins. */
export type ToThread = Omit<Reading, 'bytes'> &
  Readonly<{ blocks: readonly Uint8Array<ArrayBuffer>[] }>;

export type FromThread =
  | Readonly<{ kind: 'ready' }>
  | Readonly<{ kind: 'read'; told: Told; bytes: Uint8Array<ArrayBuffer> }>;
