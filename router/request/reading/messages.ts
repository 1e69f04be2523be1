/** Messages between the router and its body threads. Bytes are transferred, and handed back. */
import type { PlainFault } from './fault.ts';
import type { Facts, Reading } from './read.ts';

export type BodyResult = Readonly<{ facts: Facts } | { fault: PlainFault }>;

/** `blocks` holds the bytes as received; the thread joins them. */
export type ToThread = Omit<Reading, 'bytes'> &
  Readonly<{ blocks: readonly Uint8Array<ArrayBuffer>[] }>;

export type FromThread =
  | Readonly<{ kind: 'ready' }>
  /** `bytes` are the body for the agent: those received, or those of the chat translated from them. */
  | Readonly<{ kind: 'read'; result: BodyResult; bytes: Uint8Array<ArrayBuffer> }>;
