/**
 * Hot path. A histogram that is updated for each token without any allocation, and is serialized as
 * Prometheus text when it is scraped.
 */

const BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5,
  5,
];

export class LatencySeries {
  /** One count for each bound, and one for values above the last bound. */
  readonly #counts = new Float64Array(BUCKETS_SECONDS.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    this.#sum += seconds;
    let bucket = 0;
    for (const bound of BUCKETS_SECONDS) {
      if (seconds <= bound) break;
      bucket += 1;
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** Returns the Prometheus lines of this series. `labels` is the text between the braces. */
  lines(name: string, labels: string): string[] {
    let total = 0;
    const lines = BUCKETS_SECONDS.map((bound, bucket) => {
      total += this.#counts[bucket] ?? 0;
      return `${name}_bucket{${labels},le="${bound}"} ${total}`;
    });
    total += this.#counts[BUCKETS_SECONDS.length] ?? 0;
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${total}`);
    lines.push(`${name}_sum{${labels}} ${this.#sum}`, `${name}_count{${labels}} ${total}`);
    return lines;
  }
}

/** The series of one metric, by engine and model. */
export class Latency {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, LatencySeries>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  series(engine: string, model: string): LatencySeries {
    const labels = `engine="${escaped(engine)}",model="${escaped(model)}"`;
    const known = this.#series.get(labels);
    if (known) return known;
    const series = new LatencySeries();
    this.#series.set(labels, series);
    return series;
  }

  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [labels, series] of this.#series) lines.push(...series.lines(this.#name, labels));
    return `${lines.join('\n')}\n`;
  }
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
}
