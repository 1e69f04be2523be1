/**
 * What the workers of one model have in common: the seconds that a prefill takes, the ratio of
 * counted to estimated tokens, and how busy they are. The speed of a worker is a factor on these
 * seconds.
 */
import { PrefillFit } from './prefill-fit.ts';
import type { Speed } from './speed.ts';

/** A prefill is used only if its counted uncached tokens are within this factor of the forecast. */
const UNCACHED_RATIO_MAX = 2;
/** The share of busy workers is averaged over about this time. */
const BUSY_SECONDS = 10;
/** The weight of the delay of other requests, and the most of them that are assumed to wait. */
const PRESSURE_WEIGHT = 0.3;
const WAITING_MAX = 4;
/** The weight of a request in the moving averages of all requests. */
const USUAL_WEIGHT = 0.01;
/** The weight of an answer in the moving average of counted to estimated tokens. */
const RATIO_WEIGHT = 0.05;

export class ModelForecast {
  readonly #fit = new PrefillFit();
  /** A moving average, and when it was last updated. */
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
    if (!(ratio > 1 / UNCACHED_RATIO_MAX && ratio < UNCACHED_RATIO_MAX)) return false;
    return this.#fit.observe(cachedTokens, promptTokens, seconds);
  }

  /** The prompt tokens to expect for an estimate, corrected by the learned ratio. At least 1. */
  tokens(estimated: number): number {
    return Math.max(1, Math.round(estimated * this.#tokensPerEstimate));
  }

  /** Learns from the prompt tokens that an engine has counted. */
  counted(estimated: number, promptTokens: number): void {
    if (estimated < 1 || promptTokens < 1) return;
    const ratio = Math.min(4, Math.max(0.1, promptTokens / estimated));
    this.#tokensPerEstimate += RATIO_WEIGHT * (ratio - this.#tokensPerEstimate);
  }

  /** Learns from a request of this router what requests usually are. */
  dispatched(prefillSeconds: number, contextTokens: number): void {
    this.usualPrefillSeconds += USUAL_WEIGHT * (prefillSeconds - this.usualPrefillSeconds);
    this.usualContextTokens += USUAL_WEIGHT * (contextTokens - this.usualContextTokens);
  }

  /**
   * What one second of prefill costs, in seconds, including the delay of the requests that will
   * wait behind it. The cost grows with the share of busy workers. `share` is the share of the
   * workers that have a prefill pending now; `now` is in seconds.
   */
  pressure(share: number, now: number): number {
    const kept = Math.exp(-(now - (this.#busyAt ?? now)) / BUSY_SECONDS);
    this.#busyAt = now;
    this.#busyShare = this.#busyShare * kept + share * (1 - kept);
    const busy = this.#busyShare;
    // As in a queue with one server, where busy / (1 - busy) requests are there on average.
    const waiting = Math.min(WAITING_MAX, busy / (1 - Math.min(busy, 0.95)));
    return 1 + PRESSURE_WEIGHT * waiting;
  }
}
