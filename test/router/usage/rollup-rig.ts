/**
 * Usage of many kinds in a real ledger, and sums computed from every row, which the rollups must
 * match.
 */
import { expect } from 'vitest';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { foldSlice } from '../../../router/usage/rollups/fold.ts';
import type { Summary, SummaryQuery } from '../../../router/usage/rollups/summary-query.ts';
import { summarizeUsage } from '../../../router/usage/rollups/summary.ts';
import { ordinalOf } from '../../../router/usage/time-buckets.ts';
import type { UsageSums } from '../../../shared/api/usage.ts';
import type { KeyId, MemberId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { mintId } from '../../../shared/ids.ts';
import { charge, formatUsd, type Price, picoUsd } from '../../../shared/money.ts';
import type { Rig } from '../ledger/rig.ts';

export const MODELS = ['lab/small', 'lab/large'];
export const KEYS = ['key_a', 'key_b', 'key_c'] as KeyId[];
export const MEMBERS = ['mem_1', 'mem_2'] as MemberId[];
const STATUSES = [200, 200, 200, 200, 429, 499, 500];

/** A request without its final time. Model and key are indexes into the lists above. */
export type Drawn = Readonly<{
  model: number;
  key: number;
  status: number;
  prompt: number;
  cached: number;
  completion: number;
  ttft: number | null;
  duration: number;
  /** How long before the test's current instant the request ended, in ms. */
  agoMs: number;
}>;

type Row = Readonly<Record<string, string | bigint | null>>;
const DIMENSIONS = ['model', 'key', 'member', 'source'] as const;

export class Usages {
  readonly rig: Rig;
  readonly organization: OrganizationId;
  readonly #prices: readonly PriceVersion[];
  readonly ended: Usage[] = [];

  private constructor(rig: Rig, organization: OrganizationId, prices: readonly PriceVersion[]) {
    this.rig = rig;
    this.organization = organization;
    this.#prices = prices;
  }

  static async open(rig: Rig, credit = 4_000_000_000_000_000n, dear = 1n): Promise<Usages> {
    const price = (prompt: bigint, completion: bigint, cached: bigint): Price => ({
      prompt: picoUsd(prompt * dear),
      completion: picoUsd(completion * dear),
      cached: picoUsd(cached * dear),
    });
    const prices = await ensurePrices(rig.parts, [
      { model: 'lab/small', price: price(300n, 900n, 30n) },
      { model: 'lab/large', price: price(4_000_001n, 12_000_000n, 1_000_000n) },
    ]);
    return new Usages(rig, await rig.organization(credit), prices);
  }

  async settle(drawn: readonly Drawn[]): Promise<void> {
    const now = this.rig.clock.now();
    const operations = drawn.map((one) => {
      const usage = this.#usageOf(one, now);
      this.ended.push(usage);
      const { price } = this.#prices[one.model] as PriceVersion;
      const cost = charge(price, {
        prompt: one.prompt,
        cached: one.cached,
        completion: one.completion,
      });
      // Some requests fail and are free.
      if (usage.status >= 500) return { kind: 'void', usage, now } as const;
      return { kind: 'settle', usage, cost, now } as const;
    });
    for (const [, outcome] of (await this.rig.run(operations)).flat()) {
      expect(outcome).not.toHaveProperty('fault');
      expect(outcome).not.toEqual({ answer: 'refused' });
    }
  }

  /** Voids a request that was charged, which reverses the charge. */
  async reverse(index: number): Promise<void> {
    const usage = this.ended[index % this.ended.length];
    if (!usage) return;
    const cut = { ...usage, finishReason: null, status: 503, error: 'store_unavailable' };
    await this.rig.run([{ kind: 'void', usage: cut, now: this.rig.clock.now() }]);
  }

  fold(rows?: number) {
    const { organization } = this;
    const now = this.rig.clock.now();
    return foldSlice(this.rig.store, {
      organization,
      now,
      ...(rows === undefined ? {} : { rows }),
    });
  }

  async ask(ask: Partial<SummaryQuery>): Promise<Summary> {
    const answer = await this.rig.store.call(summarizeUsage, this.#whole(ask));
    if (answer === 'too_wide') throw new Error(answer);
    return answer;
  }

  #whole(ask: Partial<SummaryQuery>): SummaryQuery {
    const bucket = ask.bucket ?? 'day';
    const now = this.rig.clock.now();
    return {
      organization: this.organization,
      bucket,
      from: ordinalOf(bucket, now - 40 * 86_400_000),
      until: ordinalOf(bucket, now) + 1,
      groupBy: null,
      groups: 10,
      filters: {},
      ...ask,
    };
  }

  /** Computes the same summary from the rows themselves. */
  async naive(ask: Partial<SummaryQuery>): Promise<Summary> {
    const { bucket, from, until, groupBy, groups, filters, status } = this.#whole(ask);
    const found = (await this.rig.sql(
      `SELECT u.*, p.prompt AS full_price, p.cached AS cached_price FROM usage u
       JOIN prices p ON p.id = u.price WHERE u.organization = '${this.organization}'`,
    )) as Row[];
    const rows = found
      .map((row): Row => (row['source'] === 'playground' ? { ...row, key: '' } : row))
      .filter((row) => {
        const ordinal = ordinalOf(bucket, Number(row['created']));
        return (
          ordinal >= from &&
          ordinal < until &&
          DIMENSIONS.every((name) => isOneOf(row[name] ?? '', filters[name])) &&
          isOneOf(`${String(row['status'])[0]}xx`, status)
        );
      });
    const groupOf = (row: Row) => (groupBy === null ? null : (row[groupBy] ?? ''));
    const figures = (of: readonly Row[]) => naiveFigures(of, status);
    const costOf = (of: readonly Row[]) =>
      of.reduce((sum, row) => sum + (row['cost'] as bigint), 0n);
    const ranked = [...Map.groupBy(rows, groupOf)]
      .map(([value, of]) => ({ value: value as string, cost: costOf(of) }))
      .toSorted((a, b) => Number(b.cost - a.cost) || (a.value < b.value ? -1 : 1));
    const shown: (string | null)[] = ranked.slice(0, groups).map(({ value }) => value);
    const columnOf = (row: Row) => {
      const at = shown.indexOf(groupOf(row) as string);
      return at < 0 ? shown.length : at;
    };
    const cells = [...Map.groupBy(rows, (row) => ordinalOf(bucket, Number(row['created'])))]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([ordinal, of]) =>
        [...Map.groupBy(of, columnOf)]
          .toSorted(([a], [b]) => a - b)
          .map(([at, some]) => ({ ordinal, value: shown[at] ?? null, figures: figures(some) })),
      );
    const columns = [...Map.groupBy(rows, columnOf)].toSorted(([a], [b]) => a - b);
    return {
      totals: figures(rows),
      groups:
        groupBy === null
          ? []
          : columns.map(([at, of]) => ({ value: shown[at] ?? null, figures: figures(of) })),
      cells,
    };
  }

  #usageOf(drawn: Drawn, now: number): Usage {
    const request = mintId('request', this.rig.clock, this.rig.random) as RequestId;
    const price = this.#prices[drawn.model] as PriceVersion;
    const isPlayground = drawn.key >= KEYS.length;
    const status = STATUSES[drawn.status] as number;
    const usage = this.rig.usage(this.organization, request, { ...drawn, cached: drawn.cached });
    return {
      ...usage,
      model: MODELS[drawn.model] as string,
      price: price.id,
      // Each playground session has its own key.
      key: isPlayground ? (`key_${request}` as KeyId) : (KEYS[drawn.key] as KeyId),
      member: drawn.key === 0 ? null : (MEMBERS[drawn.key % 2] as MemberId),
      source: isPlayground ? 'playground' : 'api',
      status,
      ttftMs: drawn.ttft,
      durationMs: drawn.duration,
      created: now - drawn.agoMs,
    };
  }
}

function isOneOf(value: unknown, wanted: readonly unknown[] | undefined): boolean {
  return wanted === undefined || wanted.includes(value);
}

function naiveFigures(rows: readonly Row[], status: SummaryQuery['status']): UsageSums {
  const settled = rows.filter((row) => row['outcome'] === 'settled');
  const sum = (column: string) =>
    Number(settled.reduce((total, row) => total + (row[column] as bigint), 0n));
  const timed = rows.filter((row) => status !== undefined || Number(row['status']) < 400);
  const count = (is: (status: number) => boolean) =>
    rows.filter((row) => is(Number(row['status']))).length;
  return {
    requests: rows.length,
    errors: count((code) => code >= 400 && code !== 499),
    cancelled: count((code) => code === 499),
    prompt_tokens: sum('prompt_tokens'),
    cached_tokens: sum('cached_tokens'),
    completion_tokens: sum('completion_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
    cost: formatUsd(rows.reduce((total, row) => total + (row['cost'] as bigint), 0n)),
    cached_savings: formatUsd(settled.reduce((total, row) => total + savedBy(row), 0n)),
    ttft_ms: percentiles(
      timed.flatMap((row) => (row['ttft_ms'] === null ? [] : [Number(row['ttft_ms'])])),
    ),
    duration_ms: percentiles(timed.map((row) => Number(row['duration_ms']))),
    tokens_per_second: null,
  };
}

function savedBy(row: Row): bigint {
  const cheaper = (row['full_price'] as bigint) - (row['cached_price'] as bigint);
  return (row['cached_tokens'] as bigint) * cheaper;
}

function percentiles(values: readonly number[]) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

/** Expects equal figures, and percentiles within the stated error. */
export function expectSame(answer: Summary, naive: Summary): void {
  const exact = ({
    ttft_ms: _ttft,
    duration_ms: _duration,
    tokens_per_second: _speed,
    ...rest
  }: UsageSums) => rest;
  const bare = ({ totals, groups, cells }: Summary) => ({
    totals: exact(totals),
    groups: groups.map(({ value, figures }) => ({ value, ...exact(figures) })),
    cells: cells.map(({ ordinal, value, figures }) => ({ ordinal, value, ...exact(figures) })),
  });
  expect(bare(answer)).toEqual(bare(naive));
  const all = ({ totals, groups, cells }: Summary) =>
    [totals, ...groups.map((one) => one.figures), ...cells.map((one) => one.figures)].flatMap(
      ({ ttft_ms, duration_ms }) => [ttft_ms, duration_ms],
    );
  const theirs = all(naive);
  for (const [index, ours] of all(answer).entries()) {
    const theirs1 = theirs[index] ?? null;
    expect(ours === null).toBe(theirs1 === null);
    for (const name of ['p50', 'p90', 'p99'] as const) {
      const [one, other] = [ours?.[name] ?? 0, theirs1?.[name] ?? 0];
      expect(Math.abs(one - other)).toBeLessThanOrEqual(Math.max(1, other * 0.05 + 0.5));
    }
  }
}
