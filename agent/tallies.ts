/**
 * Hot path. A counter whose series are plain numbers until it is scraped. prom-client looks a series
 * up by its labels each time that it is increased.
 */
import { Counter, type CounterConfiguration } from 'prom-client';

type Series<Label extends string> = { readonly labels: Record<Label, string>; count: number };

export class Tallies<Label extends string> {
  /** In the order in which they were first increased, which is their order on the page. */
  readonly #series: Series<Label>[] = [];

  constructor(config: CounterConfiguration<Label>) {
    const series = this.#series;
    new Counter({
      ...config,
      collect() {
        this.reset();
        for (const { labels, count } of series) this.inc(labels, count);
      },
    });
  }

  /** Returns the series that have all labels but `last` in common. */
  by<Last extends Label>(last: Last, labels: Record<Exclude<Label, Last>, string>): Tally {
    return new Tally((value, count) => {
      const series = { labels: { ...labels, [last]: value } as Record<Label, string>, count };
      this.#series.push(series);
      return series;
    });
  }
}

/** The series of a counter that differ in one label only. */
export class Tally {
  readonly #series = new Map<string, { count: number }>();
  readonly #begin: (value: string, count: number) => { count: number };

  constructor(begin: (value: string, count: number) => { count: number }) {
    this.#begin = begin;
  }

  add(value: string, count: number): void {
    const series = this.#series.get(value);
    if (series) series.count += count;
    else this.#series.set(value, this.#begin(value, count));
  }
}
