/**
 * What the workers of one model have in common: how many seconds a prefill takes, how many tokens an estimate
 * stands for, how pressed they all are. Each worker's own speed is a factor on these seconds.
 */

import type { Forecast } from './forecast.ts';

/** A model of 32 billion parameters in BF16 over two H100: where learning starts. */
const SECONDS_PER_TOKEN = 66e-6;
/** At this many tokens of context, attention has doubled what a token costs. */
const DOUBLING_TOKENS = 31_300;
/** What the start counts for, in observations, and how slowly the older ones are forgotten. */
const PRIOR_WEIGHT = 20;
const KEPT = 0.99;
/** Prefills that are shorter tell more of the engine's step than of a token. */
const OBSERVED_TOKENS_MIN = 512;

const PRESSURE_SECONDS = 10;
const PRESSURE_WEIGHT = 0.3;
const PRESSURE_MAX = 4;

const SHARE = 0.01;
const RATIO_WEIGHT = 0.05;

export class ModelForecast {
  // Weighted sums for seconds = a·tokens + b·squares by least squares: a token's cost, and what attention adds.
  #a = SECONDS_PER_TOKEN;
  #b = SECONDS_PER_TOKEN / DOUBLING_TOKENS;
  #tt = 0;
  #ts = 0;
  #ss = 0;
  #ty = 0;
  #sy = 0;

  #busyShare = 0;
  #busyAt: number | null = null;

  /** True prompt tokens for each estimated one. */
  #tokensPerEstimate = 1;
  /** Seconds of work and tokens of context of its usual request: what is taken of those nothing is known of. */
  usualWork = 0.4;
  usualContext = 8_000;
  /** The workers that were sent such requests: they learn their speed from each other. */
  readonly workers = new Set<Forecast>();

  constructor() {
    // As if a short prefill and a long one had been seen to take what the start says.
    for (const tokens of [2_000, 32_000]) this.#add(tokens, tokens ** 2 / 2, PRIOR_WEIGHT / 2);
  }

  /** Seconds that a worker of speed 1 takes to prefill a prompt from one token to another. */
  seconds(from: number, to: number): number {
    return this.#a * (to - from) + (this.#b * (to * to - from * from)) / 2;
  }

  /** A prefill that had its engine for itself took this long, by the measure of a worker of speed 1. */
  observe(from: number, to: number, seconds: number): void {
    if (to - from < OBSERVED_TOKENS_MIN) return;
    // No faster and no slower than a few times what is expected: something else was measured then.
    const expected = this.seconds(from, to);
    const taken = Math.min(4 * expected, Math.max(expected / 4, seconds));
    this.#tt *= KEPT;
    this.#ts *= KEPT;
    this.#ss *= KEPT;
    this.#ty *= KEPT;
    this.#sy *= KEPT;
    this.#add(to - from, (to * to - from * from) / 2, 1, taken);
    this.#solve();
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

  /** Weighted by 1/seconds², so that a short prefill counts as much as a long one. */
  #add(tokens: number, squares: number, weight: number, taken?: number): void {
    const seconds = taken ?? this.#a * tokens + this.#b * squares;
    const w = weight / (seconds * seconds);
    this.#tt += w * tokens * tokens;
    this.#ts += w * tokens * squares;
    this.#ss += w * squares * squares;
    this.#ty += w * tokens * seconds;
    this.#sy += w * squares * seconds;
  }

  #solve(): void {
    const determinant = this.#tt * this.#ss - this.#ts * this.#ts;
    if (!(determinant > 1e-9 * this.#tt * this.#ss)) return;
    const a = (this.#ty * this.#ss - this.#sy * this.#ts) / determinant;
    const b = (this.#sy * this.#tt - this.#ty * this.#ts) / determinant;
    // Attention takes something, and not all.
    this.#b = Math.max(0, b);
    this.#a = Math.max(1e-7, b < 0 ? this.#ty / this.#tt : a);
    if (a < 1e-7) this.#b = Math.max(0, (this.#sy - this.#a * this.#ts) / this.#ss);
  }
}
