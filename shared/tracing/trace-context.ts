/**
 * The trace context of the W3C, as the header `traceparent`. `tracestate` is neither read nor passed
 * on: it is free text of the client, and Penstock has no use for it.
 */
import type { Random } from '../random.ts';

/** Version 00: the ids of the trace and of the parent span, neither of them zero, and the flags. */
export const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

export type TraceContext = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>;

/** Returns null without a header, and for one that is malformed or of another version. */
export function parseTraceparent(
  header: string | readonly string[] | undefined,
): TraceContext | null {
  if (typeof header !== 'string') return null;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** The header of a request whose trace is sampled. */
export function sampledTraceparent(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

export function mintTraceId(random: Random): string {
  return hex(random, 16);
}

export function mintSpanId(random: Random): string {
  return hex(random, 8);
}

function hex(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}
