/**
 * What the workers of one model have in common: the seconds that a prefill takes, the ratio of
 * counted to estimated tokens, and how busy they are. The speed of a worker is a factor on these
 * seconds.
 */

import { PrefillFit } from './prefill-fit.ts';
import type { Speed } from './speed.ts';

/** A prefill is used only if its counted uncached tokens are within this factor of the forecast. */
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

  /** Counted prompt tokens for each estimated token. */
  #tokensPerEstimate = 1;
  /**
   * Seconds of prefill and tokens of context of an average request: the assumption for requests of
   * which nothing is known.
   */
  usualPrefillSeconds = 0.4;
  usualContextTokens = 8_000;
  /**
   * The speeds of the workers that were sent requests for this model. Each worker learns its speed
   * from the others, too.
   */
  readonly speeds = new Set<Speed>();

  /** Seconds that a worker of mean speed takes to prefill a prompt between two of its tokens. */
  seconds(from: number, to: number): number {
    return this.#fit.seconds(from, to);
  }

  /**
   * Learns from a prefill that had its engine to itself. `seconds` is scaled to a worker of mean
   * speed. Returns whether the prefill was used.
   *
   * The engine's counts replace the estimates, which are least exact for long prompts. A prefill
   * whose counts are far from the forecast is ignored: the difference says something about the
   * cache or the host, and nothing about seconds per token.
   */
  observe(
    sent: Readonly<{ promptTokens: number; cachedTokens: number }>,
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

  /** The prompt tokens to expect for an estimate, corrected by the learned ratio. At least 1. */
  tokens(estimated: number): number {
    return Math.max(1, Math.round(estimated * this.#tokensPerEstimate));
  }

  counted(estimated: number, tokens: number): void {
    if (estimated < 1 || tokens < 1) return;
    const ratio = Math.min(4, Math.max(0.1, tokens / estimated));
    this.#tokensPerEstimate += RATIO_WEIGHT * (ratio - this.#tokensPerEstimate);
  }

  dispatched(work: number, context: number): void {
    this.usualPrefillSeconds += SHARE * (work - this.usualPrefillSeconds);
    this.usualContextTokens += SHARE * (context - this.usualContextTokens);
  }

  /**
   * What one second of prefill costs, in seconds, including the delay of the requests that will
   * wait behind it. The cost grows with the share of busy workers. `share` is the share of the
   * workers that have a prefill pending now; `now` is in seconds.
   */
  pressure(share: number, now: number): number {
    const kept = Math.exp(-(now - (this.#busyAt ?? now)) / PRESSURE_SECONDS);
    this.#busyAt = now;
    this.#busyShare = this.#busyShare * kept + share * (1 - kept);
    const rho = this.#busyShare;
    return 1 + PRESSURE_WEIGHT * Math.min(PRESSURE_MAX, rho / (1 - Math.min(rho, 0.95)));
  }
}
