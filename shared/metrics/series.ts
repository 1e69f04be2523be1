/**
 * Hot path. Counters and histograms whose series are plain numbers until they are scraped. A series
 * is looked up once and kept, because prom-client validates and hashes the labels at each update.
 */
import type { Metric, Registry } from 'prom-client';
import type { Sample } from './page.ts';

type Described<Label extends string> = Readonly<{
  name: string;
  help: string;
  labels: readonly Label[];
}>;

type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** One time series of a counter. */
export class Count {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }
}

export class Counters<Label extends string = never> {
  /** In the order in which they were made, which is their order on the page. */
  readonly #series = new Map<Count, LabelValues<Label>>();

  constructor(registry: Registry, described: Described<Label>) {
    register(registry, 'counter', described, () =>
      [...this.#series].map(([{ value }, labels]) => ({ labels, value })),
    );
  }

  /** Makes a series. The caller keeps it: a second call with the same labels makes a duplicate. */
  series(labels: LabelValues<Label>): Count {
    const count = new Count();
    this.#series.set(count, labels);
    return count;
  }

  /** Returns the series that have all labels but `last` in common. They are made as they are needed. */
  by<Last extends Label>(last: Last, labels: LabelValues<Exclude<Label, Last>>): Tally {
    return new Tally(
      (value) => this.series({ ...labels, [last]: value } as Record<Label, string>),
      (count) => this.remove(count),
    );
  }

  remove(count: Count): void {
    this.#series.delete(count);
  }
}

/** The series of a counter that differ in one label only. */
export class Tally {
  readonly #series = new Map<string, Count>();
  readonly #begin: (value: string) => Count;
  readonly #end: (count: Count) => void;

  constructor(begin: (value: string) => Count, end: (count: Count) => void) {
    this.#begin = begin;
    this.#end = end;
  }

  add(value: string, count = 1): void {
    let series = this.#series.get(value);
    if (!series) {
      series = this.#begin(value);
      this.#series.set(value, series);
    }
    series.value += count;
  }

  /** Removes the series from the page. */
  remove(): void {
    for (const count of this.#series.values()) this.#end(count);
    this.#series.clear();
  }
}

/** An observation that is shown beside the bucket that it fell into. */
type Exemplar = { requestId: string; value: number; atMs: number };

/** One time series of a histogram. */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #now: () => number;
  /** One count for each bound, and one for values above the last bound. */
  readonly #counts: Float64Array;
  /** The last exemplar of each bucket. Null before the first. */
  #exemplars: (Exemplar | undefined)[] | null = null;
  #sum = 0;

  constructor(bounds: readonly number[], now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.#add(value);
  }

  /** Observes a value, and keeps the request as the exemplar of its bucket. */
  observeFor(requestId: string, value: number): void {
    const bucket = this.#add(value);
    this.#exemplars ??= [];
    const kept = this.#exemplars[bucket];
    const atMs = this.#now();
    if (kept) {
      kept.requestId = requestId;
      kept.value = value;
      kept.atMs = atMs;
    } else this.#exemplars[bucket] = { requestId, value, atMs };
  }

  samples(name: string, labels: Sample['labels']): Sample[] {
    let total = 0;
    const buckets = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, bucket): Sample => {
      total += this.#counts[bucket] as number;
      const exemplar = this.#exemplars?.[bucket];
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound) },
        value: total,
        ...(exemplar && {
          exemplar: {
            labelSet: { request_id: exemplar.requestId },
            value: exemplar.value,
            timestamp: exemplar.atMs / 1000,
          },
        }),
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }

  #add(value: number): number {
    this.#sum += value;
    let bucket = 0;
    for (const bound of this.#bounds) {
      if (value <= bound) break;
      bucket += 1;
    }
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    return bucket;
  }
}

/** `now` returns ms since the epoch, for the time of exemplars. */
type HistogramConfig<Label extends string> = Described<Label> &
  Readonly<{ buckets: readonly number[]; now?: () => number }>;

export class Histograms<Label extends string = never> {
  readonly #series = new Map<Distribution, LabelValues<Label>>();
  readonly #buckets: readonly number[];
  readonly #now: () => number;

  constructor(registry: Registry, config: HistogramConfig<Label>) {
    const { name, buckets, now = () => 0 } = config;
    this.#buckets = buckets;
    this.#now = now;
    register(registry, 'histogram', config, () =>
      [...this.#series].flatMap(([series, labels]) => series.samples(name, labels)),
    );
  }

  /** Makes a series. The caller keeps it: a second call with the same labels makes a duplicate. */
  series(labels: LabelValues<Label>): Distribution {
    const series = new Distribution(this.#buckets, this.#now);
    this.#series.set(series, labels);
    return series;
  }
}

/** Registers a metric of ours, with what a registry and `docs/metrics.md` use of a metric. */
function register(
  registry: Registry,
  type: 'counter' | 'histogram',
  { name, help, labels }: Described<string>,
  read: () => Sample[],
): void {
  const get = async () => ({ name, help, type, values: read() });
  const metric = { name, help, type, labelNames: labels, get };
  registry.registerMetric(metric as unknown as Metric);
}
