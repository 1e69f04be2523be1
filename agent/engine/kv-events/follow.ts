/**
 * Follows the KV events of one engine for as long as the agent runs, and keeps what they show of
 * its prefix cache. After events that are not understood, the agent reads no others for a while, up
 * to a minute, and the operator gets a note.
 */
import { jitteredBackoffMs } from '../../../shared/backoff.ts';
import { AllowedRate } from '../../../shared/bounds/allowed-rate.ts';
import { type Clock, sleep } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import type { WorkerLoad } from '../../../shared/wire/messages.ts';
import type { KvEventsConfig } from '../../config.ts';
import type { CacheReporter, Engine } from '../engine.ts';
import { readBatch } from './batch.ts';
import { EngineClock } from './engine-clock.ts';
import { Evictions } from './evictions.ts';
import { type BatchReader, Subscription } from './subscription.ts';

const BACKOFF_MS = { first: 1_000, most: 60_000 };
/** An engine that looks up this many tokens stores some of them. Then events must have arrived. */
const QUIET_TOKENS_MAX = 16_384;
const FAULT_CHARS_MAX = 200;
/** How often gaps are logged. */
const GAP_LINES = { perSecond: 1 / 60, burst: 1 };
const COST = 'routers can only estimate what its prefix cache has evicted';

type Parts = Readonly<{ clock: Clock; random: Random; log: Log }>;

export class KvEventsFollower implements CacheReporter, BatchReader, AsyncDisposable {
  readonly #engine: Engine;
  readonly #parts: Parts;
  readonly #onNote: () => void;
  readonly #evictions = new Evictions();
  readonly #subscription: Subscription;
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  #fault: string | null = null;
  #failures = 0;
  /** The gaps in the events so far. */
  #gaps = 0;
  readonly #gapLines: AllowedRate;
  #heard = false;
  #engineClock = new EngineClock();
  /** The tokens that the engine had looked up when it was first seen. */
  #lookedUpAtFirst: number | null = null;

  constructor(engine: Engine, sockets: KvEventsConfig, parts: Parts) {
    this.#engine = engine;
    this.#parts = parts;
    this.#onNote = engine.reportsCacheBy(this);
    this.#gapLines = new AllowedRate(parts.clock, GAP_LINES);
    this.#subscription = new Subscription(sockets, this, parts.clock);
    this.#following = this.#follow();
  }

  note(lookedUp: number): string | null {
    this.#lookedUpAtFirst ??= lookedUp;
    if (this.#fault !== null) return `its KV events are not understood (${this.#fault}): ${COST}`;
    if (this.#heard || lookedUp - this.#lookedUpAtFirst <= QUIET_TOKENS_MAX) return null;
    return `no KV events arrive (kvEvents.endpoint, --kv-events-config): ${COST}`;
  }

  report(): WorkerLoad['kvEvents'] {
    return this.#evictions.report(this.#parts.clock.monotonic());
  }

  batch(payload: Buffer): void {
    const now = this.#parts.clock.monotonic();
    const { writtenAt, events } = readBatch(payload);
    this.#evictions.record(events, { at: this.#engineClock.toOwn(writtenAt, now), now });
    this.#heard = true;
    this.#failures = 0;
    this.#become(null);
  }

  restarted(): void {
    this.#evictions.restarted();
    this.#engineClock = new EngineClock();
  }

  missed(): void {
    this.#gaps += 1;
    if (!this.#gapLines.spend(1)) return;
    const fields = { engine: this.#engine.name, gaps: this.#gaps };
    this.#parts.log.info(fields, 'KV events of an engine were missed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { clock, random, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const fault = await this.#read(signal);
      if (signal.aborted) return;
      this.#failures += 1;
      this.#evictions.stopped();
      const { name } = this.#engine;
      if (fault === null) {
        // The next connection begins with what was missed, which alone does not show the engine's
        // clock. So the difference of the clocks stays known.
        log.info({ engine: name }, 'the connection for KV events of an engine has ended');
      } else {
        log.warn({ engine: name, fault }, 'KV events of an engine were not understood');
        this.#engineClock = new EngineClock();
        this.#become(fault);
      }
      await sleep(clock, jitteredBackoffMs(this.#failures, BACKOFF_MS, random), signal);
    }
  }

  /** Reads events until the connection ends. Returns why they were not understood, or null. */
  async #read(signal: AbortSignal): Promise<string | null> {
    try {
      await this.#subscription.run(signal);
      return null;
    } catch (error) {
      // Our own errors quote nothing of the events, and those of ZeroMQ only addresses.
      return error instanceof Error ? error.message.slice(0, FAULT_CHARS_MAX) : 'unknown';
    }
  }

  #become(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#onNote();
  }
}
