/** Adds up chunks and unfolded rows, by bucket and group. */
import type { UsageSums } from '../../../shared/api/usage.ts';
import type { AdmittedStatus } from '../../../shared/request-statuses.ts';
import { CellReader } from './cells.ts';
import type { Values } from './shapes.ts';
import type { Summary, SummaryQuery } from './summary-query.ts';
import {
  addSums,
  bump,
  compareCosts,
  COST,
  figuresOf,
  manySums,
  noSums,
  OUTCOMES,
  REQUESTS,
  type Sums,
  subtractSums,
} from './sums.ts';
import { ordinalOf } from '../time-buckets.ts';
import { type UsageDelta, applyDelta, applyAmount } from './usage-deltas.ts';

const OUTCOMES_OF: Readonly<Record<AdmittedStatus, readonly number[]>> = {
  failed: [OUTCOMES.refused, OUTCOMES.failed],
  canceled: [OUTCOMES.cancelled],
  '2xx': [OUTCOMES.answered],
  '4xx': [OUTCOMES.refused, OUTCOMES.cancelled],
  '5xx': [OUTCOMES.failed],
};

/** `first`: the ordinal from which its offsets count. Only buckets in [`from`, `until`) count. */
export type StoredChunk = Readonly<{
  first: number;
  from: number;
  until: number;
  group: string;
  cells: Uint8Array;
}>;

export function groupOf(query: SummaryQuery, values: Values): string {
  return query.groupBy === null ? '' : values[query.groupBy];
}

type Addends = Readonly<{
  /** The chunks by which groups are ranked. */
  ranking: () => Promise<readonly StoredChunk[]>;
  /** The chunks of the groups that are shown. */
  groups: (isShown: (group: string) => boolean) => Promise<readonly StoredChunk[]>;
  /** The chunks of all groups together. */
  together: () => Promise<readonly StoredChunk[]>;
  /** The rows that are in no chunk yet. */
  tail: readonly UsageDelta[];
}>;

/** Ranks the groups first, so that only those that are shown are kept apart. */
export class Aggregator {
  readonly #ask: SummaryQuery;
  readonly #outcomes: ReadonlySet<number>;
  /** The outcomes whose latencies count: answered requests, or those of the requested status. */
  readonly #timed: ReadonlySet<number>;
  /** By bucket and group. */
  readonly #cells: (Sums | undefined)[] = [];
  #width = 1;
  #sumsAt: (index: number) => Sums = noSums;

  constructor(query: SummaryQuery) {
    this.#ask = query;
    const { status } = query;
    const outcomesOf = (statuses: readonly AdmittedStatus[]) =>
      new Set(statuses.flatMap((one) => OUTCOMES_OF[one]));
    this.#outcomes = status ? outcomesOf(status) : new Set(Object.values(OUTCOMES));
    this.#timed = outcomesOf(status ?? ['2xx']);
  }

  async sum(of: Addends): Promise<Summary> {
    const { groups, tail } = of;
    const { groupBy, from, until } = this.#ask;
    const shown = groupBy === null ? [null] : await this.#rank(of);
    this.#width = shown.length;
    this.#sumsAt = manySums((until - from) * shown.length);
    if (groupBy === null) {
      this.#addChunks(await groups(() => true), () => 0);
      for (const one of tail) this.#addRow(one, 0);
      return this.#summary(shown);
    }
    const indexes = new Map(shown.map((value, index) => [value, index]));
    const indexOf = (group: string) => indexes.get(group) as number;
    this.#addChunks(await groups((group) => indexes.has(group)), indexOf);
    for (const one of tail) {
      const group = groupOf(this.#ask, one.values);
      if (indexes.has(group)) this.#addRow(one, indexOf(group));
    }
    if (shown.at(-1) === null) await this.#addOthers(of);
    return this.#summary(shown);
  }

  /** Computes the others as all groups less those that are shown, which reads far fewer cells. */
  async #addOthers({ together, tail }: Addends): Promise<void> {
    const others = this.#width - 1;
    this.#addChunks(await together(), () => others);
    for (const one of tail) this.#addRow(one, others);
    for (let at = 0; at < this.#cells.length; at++) {
      const less = this.#cells[at];
      const group = at % this.#width;
      if (less && group < others) subtractSums(this.#cells[at - group + others] as Sums, less);
    }
  }

  #addChunks(chunks: readonly StoredChunk[], indexOf: (group: string) => number): void {
    for (const chunk of chunks) {
      const { first, group, cells } = chunk;
      const reader = new CellReader(cells);
      while (reader.next()) {
        const { offset, outcome } = reader;
        if (!this.#counts(chunk, first + offset, outcome)) continue;
        const sums = this.#cell(first + offset, indexOf(group));
        reader.addTo(sums, this.#timed.has(outcome));
      }
    }
  }

  /** The groups to show, by highest cost, and null for the others if there are any. */
  async #rank({ ranking, tail }: Addends): Promise<(string | null)[]> {
    const costs = new Map<string, Sums>();
    const sumsOf = (group: string) => {
      let sums = costs.get(group);
      if (!sums) costs.set(group, (sums = noSums()));
      return sums;
    };
    for (const chunk of await ranking()) {
      const reader = new CellReader(chunk.cells);
      while (reader.next()) {
        if (!this.#counts(chunk, chunk.first + reader.offset, reader.outcome)) continue;
        reader.addCostTo(sumsOf(chunk.group));
      }
    }
    for (const one of tail) {
      if (!this.#outcomes.has(one.outcome)) continue;
      const sums = sumsOf(groupOf(this.#ask, one.values));
      bump(sums, REQUESTS, one.sign);
      applyAmount(sums, COST, one.cost, one.sign);
    }
    const ranked = [...costs]
      // Usage deltas may have been subtracted again.
      .filter(([, sums]) => sums[REQUESTS] !== 0)
      .toSorted(([a, sums], [b, more]) => compareCosts(more, sums) || (a < b ? -1 : 1));
    const shown: (string | null)[] = ranked.slice(0, this.#ask.groups).map(([group]) => group);
    return ranked.length > shown.length ? [...shown, null] : shown;
  }

  #counts({ from, until }: StoredChunk, ordinal: number, outcome: number): boolean {
    return ordinal >= from && ordinal < until && this.#outcomes.has(outcome);
  }

  #addRow(one: UsageDelta, group: number): void {
    if (!this.#outcomes.has(one.outcome)) return;
    const ordinal = ordinalOf(this.#ask.bucket, one.created);
    applyDelta(this.#cell(ordinal, group), one, this.#timed.has(one.outcome));
  }

  #cell(ordinal: number, group: number): Sums {
    const at = (ordinal - this.#ask.from) * this.#width + group;
    return (this.#cells[at] ??= this.#sumsAt(at));
  }

  #summary(shown: readonly (string | null)[]): Summary {
    const totals = noSums();
    const groups = shown.map(() => noSums());
    const cells: { ordinal: number; value: string | null; figures: UsageSums }[] = [];
    // By index: the array has holes, and an iterator over them is slow.
    for (let at = 0; at < this.#cells.length; at++) {
      const sums = this.#cells[at];
      if (!sums) continue;
      const group = at % this.#width;
      const value = shown[group] ?? null;
      const figures = figuresOf(sums);
      // The others have nothing here, or usage deltas were subtracted again.
      if (figures.requests === 0) continue;
      addSums(totals, sums);
      addSums(groups[group] as Sums, sums);
      cells.push({ ordinal: this.#ask.from + (at - group) / this.#width, value, figures });
    }
    return {
      totals: figuresOf(totals),
      groups:
        this.#ask.groupBy === null
          ? []
          : shown.map((value, index) => ({ value, figures: figuresOf(groups[index] as Sums) })),
      cells,
    };
  }
}
