/** An engine's metrics page. Each dialect registers its metrics under its own names and labels. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Meter } from '../answer/completion.ts';
import type { Sequence } from '../sequence.ts';
import type { FinishReason } from './chunks.ts';

const KINDS = { counter: Counter, gauge: Gauge };

export interface PageInput {
  /** Begins the name of each metric. */
  readonly prefix: string;
  readonly models: readonly string[];
  readonly labelsOf: (model: string) => Readonly<Record<string, string>>;
}

export abstract class MetricsPage implements Meter {
  /** The number of requests that ended, for /sim/requests. */
  finishedCount = 0;
  abortedCount = 0;
  protected readonly registry = new Registry();
  readonly #input: PageInput;

  constructor(input: PageInput) {
    this.#input = input;
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    // One by one, because the engines have no empty lines between their metrics.
    const metrics = this.registry.getMetricsAsArray();
    const texts = metrics.map(({ name }) => this.registry.getSingleMetricAsString(name));
    return (await Promise.all(texts)).map((text) => `${text}\n`).join('');
  }

  admitted(_model: string, _waitedMs: number): void {}

  firstToken(_model: string, _sinceArrivalMs: number): void {}

  nextToken(_model: string, _sinceLastMs: number): void {}

  finished(_model: string, reason: FinishReason, _sinceArrivalMs: number): void {
    if (reason === 'abort') this.abortedCount++;
    else this.finishedCount++;
  }

  /** Registers a metric with a value for each model, which is read when the page is requested. */
  protected register(
    kind: keyof typeof KINDS,
    name: string,
    help: string,
    valueOf: (model: string) => number,
  ): void {
    const { prefix, models, labelsOf } = this.#input;
    new KINDS[kind]({
      name: `${prefix}:${name}`,
      help,
      labelNames: Object.keys(labelsOf('')),
      registers: [this.registry],
      collect(this: Counter | Gauge) {
        this.reset();
        for (const model of models) this.inc(labelsOf(model), valueOf(model));
      },
    });
  }
}

export function countOf(sequences: Iterable<Sequence>, model: string): number {
  let count = 0;
  for (const { generation } of sequences) if (generation.model === model) count++;
  return count;
}
