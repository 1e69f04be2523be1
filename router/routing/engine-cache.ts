/**
 * What a router knows of the prefix cache of one engine: what the engine was sent, how much it
 * holds, and when it lost everything because it restarted. A restart shows in the reports of its
 * agent, or in answers that hit almost nothing. If the agent receives the engine's KV events, its
 * reports also show what the engine has evicted (decision 0022).
 */
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import { CacheCapacityEstimator } from './cache-capacity.ts';
import { ClockHistory } from './clock-history.ts';
import type { InFlightRequest } from './in-flight-request.ts';
import type { Ages, PrefixIndex } from './prefix-index.ts';
import { CHUNK_CHARS, type Prompt, wholeChunks } from './prompt.ts';

/** A prediction of fewer chunks is no evidence of a restart. */
const SURE_CHUNKS = 8;
/** After this many bad answers in a row, the engine is assumed to have restarted. */
const BAD_ANSWERS = 3;

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
  readonly #capacity: CacheCapacityEstimator;
  #lastReport: EngineReport | null = null;
  /** Whether no report has come since the worker joined. */
  #isUnseen = true;
  /** The worker's clock over time, while the agent reports evictions. */
  #history: ClockHistory | null = null;
  #badAnswers = 0;
  /** The clock when the first of the bad answers was sent. */
  #badSince = 0;

  constructor(number: number, index: PrefixIndex) {
    this.number = number;
    this.#index = index;
    this.#capacity = new CacheCapacityEstimator(index, number);
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

  /** Records that the engine is sent a prompt. Returns the ages of the entries before that. */
  recordSent(prompt: Prompt, depth: number, now: number): Ages {
    const ages = this.#index.touch(prompt, this.number, depth);
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
    if (kvTokens !== null && kvTokens !== last?.kvTokens) this.#capacity.reported(kvTokens);
    if (report.kvEvents) this.#evicted(report.kvEvents.evictedMs, now);
  }

  /** Learns from the cached tokens that an answer reports. */
  answered(request: InFlightRequest, promptTokens: number, cachedTokens: number): void {
    const chunkTokens = (promptTokens * CHUNK_CHARS) / request.prompt.chars;
    const hitChunks = Math.min(
      wholeChunks(request.prompt),
      Math.max(0, Math.floor(cachedTokens / chunkTokens + 0.01)),
    );
    this.#capacity.answered(request, hitChunks);
    this.#noteRestart(request, hitChunks);
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
    this.#badAnswers = 0;
  }

  /**
   * Records that everything that was last in use longer ago than this is evicted. The prompt of a
   * request that has run for longer counts as evicted, too, until the request is over.
   */
  #evicted(evictedMs: number | null, now: number): void {
    this.#history ??= new ClockHistory();
    const clock = evictedMs === null ? null : this.#history.at(now - evictedMs / 1000);
    if (clock === null) return;
    this.#index.raiseFloor(this.number, clock);
    this.#capacity.measured(this.stored - clock);
  }

  /** Detects a restart: several answers in a row hit almost nothing where much was expected. */
  #noteRestart({ depth, clock }: InFlightRequest, hitChunks: number): void {
    const predicted = depth - 1;
    if (predicted < SURE_CHUNKS) return;
    if (hitChunks >= predicted / 2) {
      this.#badAnswers = 0;
    } else if (hitChunks < predicted / 4 && clock > this.#index.floor(this.number)) {
      if (this.#badAnswers === 0) this.#badSince = clock;
      this.#badAnswers += 1;
      if (this.#badAnswers < BAD_ANSWERS) return;
      this.#badAnswers = 0;
      this.#index.raiseFloor(this.number, this.#badSince);
    }
  }
}
