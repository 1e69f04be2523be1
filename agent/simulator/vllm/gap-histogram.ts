/**
 * vLLM's histogram of the time between tokens. prom-client's own histogram costs as much per
 * observation as everything else that is done for a token. This one counts into an array, and
 * becomes text at the scrape.
 */
const NAME = 'vllm:inter_token_latency_seconds';
const BUCKETS_S = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
] as const;

export class GapHistogram {
  readonly #counts = new Float64Array(BUCKETS_S.length + 1);
  #sumSeconds = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS_S.length && seconds > (BUCKETS_S[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumSeconds += seconds;
  }

  /** Returns the lines of the histogram. `labels` is the text between the braces. */
  lines(labels: string): string[] {
    let count = 0;
    const buckets = [...BUCKETS_S, '+Inf'].map((le, index) => {
      count += this.#counts[index] ?? 0;
      return `${NAME}_bucket{le="${le}",${labels}} ${count}`;
    });
    return [
      ...buckets,
      `${NAME}_sum{${labels}} ${this.#sumSeconds}`,
      `${NAME}_count{${labels}} ${count}`,
    ];
  }

  static readonly head = [
    `# HELP ${NAME} Histogram of inter-token latency in seconds.`,
    `# TYPE ${NAME} histogram`,
  ];
}
