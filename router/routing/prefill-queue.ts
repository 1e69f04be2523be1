/**
 * The requests on one worker that wait for their first token, in the order in which they were sent.
 * The engine is assumed to prefill them one after another.
 */
import type { InFlightRequest } from './in-flight-request.ts';

/**
 * The first request is assumed to need at least this share of its prefill still. Forecasts have a
 * standard deviation of a seventh, because token counts are estimated: a request that is not done
 * when its time is up takes an eighth of its prefill longer on average, a later one a twelfth.
 */
const LATE_SHARE = 0.1;
/** The first request is overdue after this multiple of its prefill plus these seconds. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_SECONDS = 0.1;

export class PrefillQueue {
  readonly #requests: InFlightRequest[] = [];
  /** Since when the first request is the first. */
  #headSince = 0;
  #prefillSeconds = 0;
  #uncachedTokens = 0;

  get length(): number {
    return this.#requests.length;
  }

  get head(): InFlightRequest | undefined {
    return this.#requests[0];
  }

  /** Uncached prompt tokens of all requests in the queue. */
  get uncachedTokens(): number {
    return this.#uncachedTokens;
  }

  /** Seconds until the prefill of a request that comes now could begin. */
  seconds(now: number, speed: number): number {
    const { head } = this;
    if (!head) return 0;
    const elapsed = now - this.#headSince;
    let { prefillSeconds } = head;
    let rest = this.#prefillSeconds;
    if (elapsed > OVERDUE_SHARE * prefillSeconds + OVERDUE_SECONDS) {
      // The request is overdue, so it is assumed to have missed the cache and to need its whole
      // prefill.
      const whole = Math.max(prefillSeconds, speed * head.model.seconds(0, head.promptTokens));
      rest += whole - prefillSeconds;
      prefillSeconds = whole;
    }
    return Math.max(0, rest - Math.min(elapsed, (1 - LATE_SHARE) * prefillSeconds));
  }

  add(now: number, request: InFlightRequest): void {
    const { head } = this;
    if (head) {
      head.alone = false;
      request.alone = false;
    } else {
      this.#headSince = now;
    }
    this.#requests.push(request);
    this.#prefillSeconds += request.prefillSeconds;
    this.#uncachedTokens += request.promptTokens - request.cachedTokens;
  }

  /** Returns false when the request is not in the queue. */
  remove(now: number, request: InFlightRequest): boolean {
    const at = this.#requests.indexOf(request);
    if (at < 0) return false;
    this.#requests.splice(at, 1);
    this.#uncachedTokens -= request.promptTokens - request.cachedTokens;
    // Set to 0 rather than subtracted, so that no rounding error stays behind in an empty queue.
    if (this.#requests.length === 0) this.#prefillSeconds = 0;
    else this.#prefillSeconds -= request.prefillSeconds;
    if (at === 0) this.#headSince = now;
    return true;
  }

  clear(): void {
    this.#requests.length = 0;
    this.#prefillSeconds = 0;
    this.#uncachedTokens = 0;
  }
}
