/**
 * Buckets of time, all in UTC. A bucket's ordinal is the number of buckets of its kind since 1970.
 * The cells of consecutive buckets are stored together in a chunk.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.ts';

export const BUCKET_NAMES = ['minute', 'hour', 'day', 'month'] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];

type Level = Readonly<{
  /** The level's number in the store. */
  number: number;
  perChunk: number;
  /** For how long chunks are kept, in ms; null: for ever. */
  keptMs: number | null;
}>;

export const LEVELS: Readonly<Record<BucketName, Level>> = {
  minute: { number: 0, perChunk: 60, keptMs: 15 * DAY_MS },
  hour: { number: 1, perChunk: 24, keptMs: 401 * DAY_MS },
  day: { number: 2, perChunk: 32, keptMs: null },
  month: { number: 3, perChunk: 12, keptMs: null },
};

const LENGTH_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

/** Returns the ordinal of the bucket that contains an instant. */
export function ordinalOf(name: BucketName, instant: number): number {
  if (name !== 'month') return Math.floor(instant / LENGTH_MS[name]);
  const date = new Date(instant);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Returns the instant at which a bucket begins. */
export function startOf(name: BucketName, ordinal: number): number {
  return name === 'month' ? Date.UTC(1970, ordinal) : ordinal * LENGTH_MS[name];
}

export function chunkOf(name: BucketName, ordinal: number): number {
  return Math.floor(ordinal / LEVELS[name].perChunk);
}

/** Returns the oldest chunk to keep; earlier chunks are deleted over time. Null: all are kept. */
export function oldestChunk(name: BucketName, now: number): number | null {
  const { keptMs } = LEVELS[name];
  return keptMs === null ? null : chunkOf(name, ordinalOf(name, now - keptMs));
}

/** From here on a query finds every bucket, with a margin of a day; null: it always does. */
export function keptFrom(name: BucketName, now: number): number | null {
  const { keptMs } = LEVELS[name];
  return keptMs === null ? null : startOf(name, ordinalOf(name, now - keptMs + DAY_MS));
}
