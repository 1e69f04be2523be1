/**
 * What a router knows of the prefix cache of one engine: what the engine was sent, how much it
 * holds, and when it lost everything because it restarted. A restart shows in the reports of its
 * agent, or in answers that hit almost nothing. If the agent receives the engine's KV events, its
 * reports also show what the engine has evicted (decision 0022).
 */
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import type { Ages, CacheBounds } from './cache-bounds.ts';
import { CacheEstimator } from './cache-estimator.ts';
import { ClockHistory } from './clock-history.ts';
import type { Dispatch, InFlightRequest } from './in-flight-request.ts';
import type { PrefixIndex } from './prefix-index.ts';
import { CHUNK_CHARS, type Prompt, wholeChunks } from './prompt.ts';

type EngineReport = Pick<
  WorkerLoad,
  'boot' | 'kvTokens' | 'prefixQueryTokens' | 'runningUsage' | 'kvEvents'
>;

/** When a report arrives, in seconds, and the requests on the worker at that time. */
type ReportContext = Readonly<{
  now: number;
  inFlight: Iterable<InFlightRequest>;
  /** Whether other routers have requests on it. */
  isShared: boolean;
}>;

export class EngineCache {
  /** The worker's number in the prefix index. */
  readonly number: number;
  readonly #index: PrefixIndex;
  /** What the engine should have, for routing. */
  readonly #estimate: CacheEstimator;
  /**
   * The same without the evictions that the agent reports, because a host could report false ones
   * to hide that it reports too few cached tokens. Null until it reports any.
   */
  #own: CacheEstimator | null = null;
  #lastReport: EngineReport | null = null;
  /** Whether no report has come since the worker joined. */
  #isUnseen = true;
  /** The worker's clock over time, while the agent reports evictions. */
  #history: ClockHistory | null = null;

  constructor(number: number, index: PrefixIndex) {
    this.number = number;
    this.#index = index;
    this.#estimate = new CacheEstimator(boundsIn(index, number));
    this.#estimate.unreported();
  }

  /** Chunks that the engine was sent and did not have: its clock in the prefix index. */
  get stored(): number {
    return this.#index.clock(this.number);
  }

  /** Leading entries of the prompt that the engine should have. */
  depth(prompt: Prompt): number {
    this.#index.match(prompt);
    return this.#index.depth(this.number);
  }

  /** The same without reported evictions, for a prompt with this `depth`. */
  ownDepth(prompt: Prompt, depth: number): number {
    return this.#own ? this.#index.leading(prompt, this.number, this.#own.bounds) : depth;
  }

  /** Records that the engine is sent a prompt. Returns the ages of the entries before that. */
  recordSent({ prompt, depth, ownDepth }: Dispatch, now: number): Ages {
    // False evictions would advance the clock too fast.
    const known = Math.max(depth, ownDepth);
    const ages = this.#index.touch(prompt, this.number, known, this.#own?.bounds.floor);
    // For the tail of the prompt, and for the answer.
    if (!this.#history) this.#index.advance(this.number, 1);
    this.#history?.add(now, this.stored);
    return ages;
  }

  /**
   * Records that the engine is done with a prompt. From now on its blocks are unused, and an engine
   * evicts what is unused for longest.
   */
  recordOver(prompt: Prompt, now: number): void {
    if (!this.#history) return;
    // This advances the clock for the tail of the prompt and for the answer.
    this.#index.touch(prompt, this.number, prompt.chunks.length / 2);
    this.#history.add(now, this.stored);
  }

  /** Records that the engine may have been sent prompts that the index does not know. */
  missed(): void {
    this.#index.missed(this.number);
  }

  /**
   * Records a report, which may show that the engine has restarted. Engines count prefix cache
   * queries from their start. If the count is 0 when an engine is first seen, its cache will hold
   * only what it is sent from then on.
   */
  reported(report: EngineReport, context: ReportContext): void {
    const { now, inFlight, isShared } = context;
    const last = this.#lastReport;
    this.#lastReport = report;
    const { boot, kvTokens, prefixQueryTokens, runningUsage } = report;
    const hasRestarted =
      last !== null && (boot !== last.boot || prefixQueryTokens < last.prefixQueryTokens);
    if (hasRestarted) this.#restarted(inFlight);
    // An engine without running usage counts nothing.
    const isEmpty = prefixQueryTokens === 0 && runningUsage && !isShared;
    if (isEmpty && (hasRestarted || this.#isUnseen)) this.#index.knowsAll(this.number);
    else if (hasRestarted) this.missed();
    this.#isUnseen = false;
    // The capacity is set when the engine's own figure changes; after that, answers adjust it.
    if (kvTokens !== null && kvTokens !== last?.kvTokens) {
      this.#estimate.reported(kvTokens);
      this.#own?.reported(kvTokens);
    }
    if (report.kvEvents) this.#evicted(report.kvEvents.evictedMs, now);
  }

  /** Learns from the cached tokens that an answer reports. */
  answered(request: InFlightRequest, promptTokens: number, cachedTokens: number): void {
    const chunkTokens = (promptTokens * CHUNK_CHARS) / request.prompt.chars;
    const hitChunks = Math.min(
      wholeChunks(request.prompt),
      Math.max(0, Math.floor(cachedTokens / chunkTokens + 0.01)),
    );
    this.#estimate.answered(request, request.depth, hitChunks);
    this.#own?.answered(request, request.ownDepth, hitChunks);
  }

  /**
   * The worker is gone. When it returns, the boot id of its engine shows whether its cache is still
   * there.
   */
  gone(): void {
    this.#isUnseen = true;
    // Other routers may send it prompts in the meantime.
    this.missed();
  }

  #restarted(inFlight: Iterable<InFlightRequest>): void {
    // Requests in flight may have been sent to the restarted engine, so they count as sent after
    // the restart.
    let clock = this.stored;
    for (const request of inFlight) clock = Math.min(clock, request.clock);
    this.#index.began(this.number, clock);
    this.#estimate.restarted(clock);
    this.#own?.restarted(clock);
  }

  /**
   * Records that everything that was last in use longer ago than this is evicted. The prompt of a
   * request that has run for longer counts as evicted, too, until the request is over.
   */
  #evicted(evictedMs: number | null, now: number): void {
    this.#history ??= new ClockHistory();
    const clock = evictedMs === null ? null : this.#history.at(now - evictedMs / 1000);
    if (clock === null) return;
    const { floor, capacity } = this.#estimate.bounds;
    this.#own ??= new CacheEstimator(keptBounds(this.#index, this.number, { floor, capacity }));
    this.#estimate.evicted(clock, this.stored);
  }
}

/** The bounds by which the index returns the depth of a worker. */
function boundsIn(index: PrefixIndex, number: number): CacheBounds {
  return {
    get floor() {
      return index.floor(number);
    },
    set floor(clock) {
      index.setFloor(number, clock);
    },
    get capacity() {
      return index.capacity(number);
    },
    set capacity(chunks) {
      index.setCapacity(number, chunks);
    },
  };
}

/** Bounds beside those, for which the index keeps its entries. */
function keptBounds(index: PrefixIndex, number: number, from: CacheBounds): CacheBounds {
  let { capacity } = from;
  index.keep(number, capacity);
  return {
    floor: from.floor,
    get capacity() {
      return capacity;
    },
    set capacity(chunks) {
      capacity = chunks;
      index.keep(number, chunks);
    },
  };
}
