/** What passes between the router and a thread that reads bodies. The bytes are handed over, and back. */
import type { PlainFault } from './fault.ts';
import type { Facts, Reading } from './read.ts';

export type Told = Readonly<{ facts: Facts } | { fault: PlainFault }>;

/** `blocks`: the bytes as they came, which the thread joins. */
export type ToThread = Omit<Reading, 'bytes'> &
  Readonly<{ blocks: readonly Uint8Array<ArrayBuffer>[] }>;

export type FromThread =
  | Readonly<{ kind: 'ready' }>
  | Readonly<{ kind: 'read'; told: Told; bytes: Uint8Array<ArrayBuffer> }>;
