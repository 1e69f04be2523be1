/**
 * What the workers of one model have in common: how many seconds a prefill takes, how many tokens an estimate
 * stands for, how pressed they all are. Each worker's own speed is a factor on these seconds.
 */

import type { Dispatch } from './flight.ts';
import type { Forecast } from './forecast.ts';
import { PrefillFit } from './prefill-fit.ts';

/** Uncached tokens, as counted over as forecast, that are still the same prefill. */
const AS_SENT = 2;

const PRESSURE_SECONDS = 10;
const PRESSURE_WEIGHT = 0.3;
const PRESSURE_MAX = 4;

const SHARE = 0.01;
const RATIO_WEIGHT = 0.05;

export class ModelForecast {
  readonly #fit = new PrefillFit();

  #busyShare = 0;
  #busyAt: number | null = null;

  /** True prompt tokens for each estimated one. */
  #tokensPerEstimate = 1;
  /** Seconds of work and tokens of context of its usual request: what is taken of those nothing is known of. */
  usualWork = 0.4;
  usualContext = 8_000;
  /** The workers that were sent such requests: they learn their speed from each other. */
  readonly workers = new Set<Forecast>();

  /** Seconds that the mean of its workers takes to prefill a prompt from one token to another. */
  seconds(from: number, to: number): number {
    return this.#fit.seconds(from, to);
  }

  /**
   * A prefill that had its engine for itself took this long, by the measure of that mean; whether it teaches
   * anything. What the engine counted is taken, as estimates are off, and those of long prompts by most. Where it
   * counted something else altogether, that tells of a cache or of the host, and not of seconds.
   */
  observe(
    sent: Pick<Dispatch, 'promptTokens' | 'cachedTokens'>,
    counted: Readonly<{ promptTokens: number; cachedTokens: number | null }>,
    seconds: number,
  ): boolean {
    const { promptTokens } = counted;
    const share = promptTokens / sent.promptTokens;
    const cachedTokens = counted.cachedTokens ?? share * sent.cachedTokens;
    const ratio = (promptTokens - cachedTokens) / (sent.promptTokens - sent.cachedTokens);
    if (!(ratio > 1 / AS_SENT && ratio < AS_SENT)) return false;
    return this.#fit.observe(cachedTokens, promptTokens, seconds);
  }

  /** What is really to be expected where so many prompt tokens were estimated. */
  tokens(estimated: number): number {
    return Math.max(1, Math.round(estimated * this.#tokensPerEstimate));
  }

  counted(estimated: number, tokens: number): void {
    if (estimated < 1 || tokens < 1) return;
    const ratio = Math.min(4, Math.max(0.1, tokens / estimated));
    this.#tokensPerEstimate += RATIO_WEIGHT * (ratio - this.#tokensPerEstimate);
  }

  dispatched(work: number, context: number): void {
    this.usualWork += SHARE * (work - this.usualWork);
    this.usualContext += SHARE * (context - this.usualContext);
  }

  /**
   * How much more than a second a second of prefill costs: those that come after wait for it, too, the more
   * the more of the workers are busy. `share`: of the workers that have prefill pending now.
   */
  pressure(share: number, now: number): number {
    const kept = Math.exp(-(now - (this.#busyAt ?? now)) / PRESSURE_SECONDS);
    this.#busyAt = now;
    this.#busyShare = this.#busyShare * kept + share * (1 - kept);
    const rho = this.#busyShare;
    return 1 + PRESSURE_WEIGHT * Math.min(PRESSURE_MAX, rho / (1 - Math.min(rho, 0.95)));
  }
}
