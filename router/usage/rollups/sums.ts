/**
 * Sums over requests: counts, tokens, amounts and two histograms, in one array of numbers, so that
 * a query adds up tens of thousands of cells in milliseconds. Amounts are exact: whole dollars and
 * picodollars have separate places.
 */
import type { UsageSums } from '../../../shared/api/usage.ts';
import { BUCKETS, percentilesOf, totalMsOf } from './histogram.ts';

export const REQUESTS = 0;
export const PROMPT = 1;
export const CACHED = 2;
export const COMPLETION = 3;
export const REASONING = 4;
/** Each amount has two places: dollars, then picodollars below one. */
export const COST = 5;
export const SAVED = 7;
/** How many of these places a stored cell has before its histograms. */
export const STORED = 9;
const ERRORS = 9;
const CANCELLED = 10;
/** Completion tokens of the requests whose latencies count. */
export const TIMED_COMPLETION = 11;
export const TTFT = 12;
export const DURATION = TTFT + BUCKETS;
const LENGTH = DURATION + BUCKETS;

export const PICO_PER_DOLLAR = 1e12;

export type Sums = Float64Array;

export const noSums = (): Sums => new Float64Array(LENGTH);

/** So many sums in one block of memory, which is much faster than allocating each. */
export function manySums(count: number): (index: number) => Sums {
  const all = new Float64Array(count * LENGTH);
  return (index) => all.subarray(index * LENGTH, (index + 1) * LENGTH);
}

/** How a request ended, by its status. */
export const OUTCOMES = { answered: 0, refused: 1, cancelled: 2, failed: 3 } as const;
export const OUTCOME_COUNT = 4;

export function outcomeOf(status: number): number {
  if (status < 400) return OUTCOMES.answered;
  if (status === 499) return OUTCOMES.cancelled;
  return status < 500 ? OUTCOMES.refused : OUTCOMES.failed;
}

/** In pico-USD. */
export function costOf(sums: Sums): bigint {
  return BigInt(sums[COST] as number) * BigInt(PICO_PER_DOLLAR) + BigInt(sums[COST + 1] as number);
}

/** Negative where the cost of `a` is less than that of `b`. */
export function compareCosts(a: Sums, b: Sums): number {
  const dollars = (a[COST] as number) - (b[COST] as number);
  return dollars === 0 ? (a[COST + 1] as number) - (b[COST + 1] as number) : dollars;
}

/** Adds to one of the two amounts; negative arguments subtract. */
export function addAmount(sums: Sums, at: number, dollars: number, pico: number): void {
  let low = (sums[at + 1] as number) + pico;
  let high = (sums[at] as number) + dollars;
  if (low >= PICO_PER_DOLLAR) {
    low -= PICO_PER_DOLLAR;
    high += 1;
  } else if (low < 0) {
    low += PICO_PER_DOLLAR;
    high -= 1;
  }
  sums[at + 1] = low;
  sums[at] = high;
}

export function addOutcome(sums: Sums, outcome: number, requests: number): void {
  if (outcome === OUTCOMES.cancelled) bump(sums, CANCELLED, requests);
  else if (outcome !== OUTCOMES.answered) bump(sums, ERRORS, requests);
}

export function bump(sums: Sums, at: number, by: number): void {
  sums[at] = (sums[at] as number) + by;
}

export function addSums(sums: Sums, more: Sums): void {
  addAmount(sums, COST, more[COST] as number, more[COST + 1] as number);
  addAmount(sums, SAVED, more[SAVED] as number, more[SAVED + 1] as number);
  for (let at = 0; at < COST; at++) bump(sums, at, more[at] as number);
  for (let at = STORED; at < LENGTH; at++) bump(sums, at, more[at] as number);
}

export function subtractSums(sums: Sums, less: Sums): void {
  addAmount(sums, COST, -(less[COST] as number), -(less[COST + 1] as number));
  addAmount(sums, SAVED, -(less[SAVED] as number), -(less[SAVED + 1] as number));
  for (let at = 0; at < COST; at++) bump(sums, at, -(less[at] as number));
  for (let at = STORED; at < LENGTH; at++) bump(sums, at, -(less[at] as number));
}

/** The sums as the management API shows them. */
export function figuresOf(sums: Sums): UsageSums {
  return {
    requests: sums[REQUESTS] as number,
    errors: sums[ERRORS] as number,
    cancelled: sums[CANCELLED] as number,
    prompt_tokens: sums[PROMPT] as number,
    cached_tokens: sums[CACHED] as number,
    completion_tokens: sums[COMPLETION] as number,
    reasoning_tokens: sums[REASONING] as number,
    cost: amountAt(sums, COST),
    cached_savings: amountAt(sums, SAVED),
    ttft_ms: percentilesOf(sums, TTFT),
    duration_ms: percentilesOf(sums, DURATION),
    tokens_per_second: speedOf(sums),
  };
}

/**
 * The completion tokens per second between the first token and the end of a response, over all
 * requests whose latencies count. Null when that time is not known.
 */
function speedOf(sums: Sums): number | null {
  const tokens = sums[TIMED_COMPLETION] as number;
  if (tokens <= 0) return null;
  const ms = totalMsOf(sums, DURATION) - totalMsOf(sums, TTFT);
  return ms > 0 ? Math.round((10_000 * tokens) / ms) / 10 : null;
}

/** Avoids bigint, since an answer has thousands of amounts. */
function amountAt(sums: Sums, at: number): string {
  const dollars = String(sums[at]);
  const pico = sums[at + 1] as number;
  if (pico === 0) return dollars;
  return `${dollars}.${String(pico).padStart(12, '0').replace(/0+$/, '')}`;
}
