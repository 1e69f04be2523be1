/** The report of a benchmark, for people and for scripts. */
import type { Histogram } from 'hdr-histogram-js';
import type { Outcome } from './replay.ts';
import type { RouterFigures } from './router-figures.ts';

export type Report = Readonly<{
  requests: number;
  errors: Record<string, number>;
  seconds: number;
  concurrency_max: number;
  requests_per_second: number;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  completion_tokens_per_second: number;
  ttft_ms: Quantiles;
  inter_token_ms: Quantiles;
  /** CPU time of the router process in µs per completion token. Null without its metrics. */
  router_cpu_us_per_token: number | null;
  /**
   * The latency that the ledger added to each answer, and the delay of the router's event loop.
   * Null when the router's metrics cannot be read.
   */
  router: Omit<RouterFigures, 'cpuSeconds'> | null;
}>;

type Quantiles = Readonly<{ p50: number; p90: number; p99: number; max: number }>;

function quantiles(histogram: Histogram): Quantiles {
  const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1000;
  return { p50: at(50), p90: at(90), p99: at(99), max: histogram.maxValue / 1000 };
}

export function makeReport(outcome: Outcome, figures: RouterFigures | null): Report {
  const { seen, errors, durationMs } = outcome;
  const total = (of: (one: (typeof seen)[number]) => number) =>
    seen.reduce((sum, one) => sum + of(one), 0);
  const completion = total((one) => one.completionTokens);
  const seconds = durationMs / 1000;
  return {
    requests: outcome.started,
    errors: Object.fromEntries(errors),
    seconds,
    concurrency_max: outcome.runningMax,
    requests_per_second: seen.length / seconds,
    prompt_tokens: total((one) => one.promptTokens),
    cached_tokens: total((one) => one.cachedTokens),
    completion_tokens: completion,
    completion_tokens_per_second: completion / seconds,
    ttft_ms: quantiles(outcome.ttft),
    inter_token_ms: quantiles(outcome.interToken),
    router_cpu_us_per_token: figures && (figures.cpuSeconds * 1e6) / Math.max(1, completion),
    router: figures && {
      admission_ms: figures.admission_ms,
      settlement_ms: figures.settlement_ms,
      event_loop_p99_ms: figures.event_loop_p99_ms,
    },
  };
}

export function reportText(report: Report): string {
  const errors = Object.entries(report.errors);
  const count = errors.reduce((sum, [, times]) => sum + times, 0);
  const line = ({ p50, p90, p99, max }: Quantiles) =>
    `p50 ${p50.toFixed(2)}  p90 ${p90.toFixed(2)}  p99 ${p99.toFixed(2)}  max ${max.toFixed(2)} ms`;
  return [
    `requests             ${report.requests}, at most ${report.concurrency_max} at once, ${report.seconds.toFixed(1)} s`,
    `errors               ${count}`,
    ...errors.map(([text, times]) => `  ${times} × ${text}`),
    `throughput           ${report.requests_per_second.toFixed(1)} requests/s, ${report.completion_tokens_per_second.toFixed(0)} tokens/s`,
    `tokens               ${report.prompt_tokens} prompt (${report.cached_tokens} cached), ${report.completion_tokens} completion`,
    `time to first token  ${line(report.ttft_ms)}`,
    `inter-token latency  ${line(report.inter_token_ms)}`,
    report.router_cpu_us_per_token === null
      ? 'router CPU           unknown: give --metrics-url'
      : `router CPU           ${report.router_cpu_us_per_token.toFixed(2)} µs per streamed token`,
    ...routerLines(report.router),
  ].join('\n');
}

function routerLines(router: Report['router']): string[] {
  if (!router) return [];
  const line = ({ p50, p99 }: { p50: number; p99: number }) =>
    `p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)} ms`;
  return [
    `admission            ${line(router.admission_ms)}`,
    `settlement           ${line(router.settlement_ms)}`,
    `event-loop delay     p99 ${router.event_loop_p99_ms.toFixed(2)} ms`,
  ];
}
