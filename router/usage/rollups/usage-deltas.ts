/**
 * Usage deltas: what usage rows add to the sums. Tokens are those billed: a voided request was
 * billed none, whatever its row says. When a charge is reversed after its row was folded, the row's
 * old values are subtracted from the sums, and its new values are added.
 */
import type { OrganizationId, PriceId, RequestId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { PriceRow, UsageRow } from '../../store/schema/ledger.ts';
import { bucketOf } from './histogram.ts';
import { type Values, valuesOf } from './shapes.ts';
import {
  addAmount,
  addOutcome,
  bump,
  CACHED,
  COMPLETION,
  COST,
  DURATION,
  outcomeOf,
  PICO_PER_DOLLAR,
  PROMPT,
  REASONING,
  REQUESTS,
  SAVED,
  type Sums,
  TIMED_COMPLETION,
  TTFT,
} from './sums.ts';

export type UsageDelta = Readonly<{
  values: Values;
  /** When the request arrived, ms since the epoch: its usage counts there, whenever it ended. */
  created: number;
  outcome: number;
  /** 1 to add the usage delta, -1 to subtract it. */
  sign: 1 | -1;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  cost: bigint;
  saved: bigint;
  /** Buckets of the histograms; `ttft` is null when there was no first token. */
  ttft: number | null;
  duration: number;
}>;

const READ = [
  'request',
  'seq',
  'model',
  'key',
  'member',
  'source',
  'price',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'ttft_ms',
  'duration_ms',
  'status',
  'cost',
  'outcome',
  'created',
] as const;
type ReadRow = Pick<UsageRow, (typeof READ)[number]>;

/** The most reversals that are read at once; they are rare. */
const REVERSALS_MAX = 1_000;

export type UnaggregatedUsage = Readonly<{
  deltas: readonly UsageDelta[];
  /** Whether nothing more waits to be folded. */
  isAll: boolean;
  /** The number of the last row included. */
  last: bigint;
  /** The reversed requests that are included, each as it is now. */
  reversed: readonly RequestId[];
}>;

/** Reads what the rollups do not have yet, in at most `rowsMax` rows above `folded`. */
export async function readUnaggregated(
  db: Db,
  organization: OrganizationId,
  folded: bigint,
  rowsMax: number,
): Promise<UnaggregatedUsage> {
  const rows = await db
    .selectFrom('usage')
    .select(READ)
    .where('organization', '=', organization)
    .where('seq', '>', folded)
    .orderBy('seq')
    .limit(rowsMax)
    .execute();
  const last = rows.at(-1)?.seq ?? folded;
  const given = await db
    .selectFrom('usage_reversals as r')
    .innerJoin('usage as u', 'u.request', 'r.request')
    .select(READ.map((column) => `u.${column}` as const))
    .select(['r.status as was_status', 'r.cost as was_cost'])
    .where('r.organization', '=', organization)
    .limit(REVERSALS_MAX)
    .execute();
  const prices = await readPrices(db, [...rows, ...given]);
  const deltas = rows.map((row) => deltaOf(row, prices.get(row.price), 1));
  const reversed: RequestId[] = [];
  for (const { was_status, was_cost, ...row } of given) {
    if (row.seq > last) continue;
    reversed.push(row.request);
    // A row above `folded` was read just now, in its new state.
    if (row.seq > folded) continue;
    const was = { ...row, outcome: 'settled', status: was_status, cost: was_cost } as const;
    deltas.push(deltaOf(was, prices.get(row.price), -1));
    deltas.push(deltaOf(row, prices.get(row.price), 1));
  }
  const isAll = rows.length < rowsMax && given.length < REVERSALS_MAX;
  return { deltas, isAll, last, reversed };
}

type Rates = Pick<PriceRow, 'id' | 'prompt' | 'cached'>;

async function readPrices(
  db: Db,
  rows: readonly Pick<UsageRow, 'price'>[],
): Promise<ReadonlyMap<PriceId, Rates>> {
  const ids = [...new Set(rows.map(({ price }) => price))];
  if (ids.length === 0) return new Map();
  const prices = await db
    .selectFrom('prices')
    .select(['id', 'prompt', 'cached'])
    .where('id', 'in', ids)
    .execute();
  return new Map(prices.map((price) => [price.id, price]));
}

function deltaOf(row: ReadRow, price: Rates | undefined, sign: 1 | -1): UsageDelta {
  const billed = row.outcome === 'settled';
  const cheaper = price && price.prompt > price.cached ? price.prompt - price.cached : 0n;
  return {
    values: valuesOf(row),
    created: Number(row.created),
    outcome: outcomeOf(Number(row.status)),
    sign,
    promptTokens: billed ? Number(row.prompt_tokens) : 0,
    cachedTokens: billed ? Number(row.cached_tokens) : 0,
    completionTokens: billed ? Number(row.completion_tokens) : 0,
    reasoningTokens: billed ? Number(row.reasoning_tokens) : 0,
    cost: row.cost,
    saved: billed ? row.cached_tokens * cheaper : 0n,
    ttft: row.ttft_ms === null ? null : bucketOf(Number(row.ttft_ms)),
    duration: bucketOf(Number(row.duration_ms)),
  };
}

/** Adds a usage delta to sums. `touched` collects the places of the histograms that changed. */
export function applyDelta(
  sums: Sums,
  of: UsageDelta,
  withLatencies: boolean,
  touched?: number[],
): void {
  const { sign } = of;
  bump(sums, REQUESTS, sign);
  addOutcome(sums, of.outcome, sign);
  bump(sums, PROMPT, sign * of.promptTokens);
  bump(sums, CACHED, sign * of.cachedTokens);
  bump(sums, COMPLETION, sign * of.completionTokens);
  bump(sums, REASONING, sign * of.reasoningTokens);
  applyAmount(sums, COST, of.cost, sign);
  applyAmount(sums, SAVED, of.saved, sign);
  if (!withLatencies) return;
  bump(sums, TIMED_COMPLETION, sign * of.completionTokens);
  if (of.ttft !== null) {
    bump(sums, TTFT + of.ttft, sign);
    touched?.push(TTFT + of.ttft);
  }
  bump(sums, DURATION + of.duration, sign);
  touched?.push(DURATION + of.duration);
}

export function applyAmount(sums: Sums, at: number, amount: bigint, sign: 1 | -1): void {
  // Most amounts are below a dollar and fit a number; larger ones are split exactly, as a bigint.
  if (amount < PICO_PER_DOLLAR) return addAmount(sums, at, 0, sign * Number(amount));
  const dollar = BigInt(PICO_PER_DOLLAR);
  addAmount(sums, at, sign * Number(amount / dollar), sign * Number(amount % dollar));
}
