/**
 * Watches one engine: looks for it until it generates, then reads its metrics, ten times a second while it
 * works and once a second while it does not, until it is gone. One that hangs still says that it is healthy:
 * where nothing is written for long it is asked for one token.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { backoffMs } from '../backoff.ts';
import type { Engine } from './engine.ts';
import { findEngine, type Found, healthOf, modelsOf, pageOf, WHY } from './find.ts';
import type { Reading } from './gauges.ts';
import { probeOnce } from './trial.ts';
import { compare } from './vitals.ts';

const watchLimits = {
  busyPollMs: 100,
  idlePollMs: 1_000,
  healthMs: 1_000,
  modelsMs: 10_000,
  /** Questions in a row that may go without a good answer, as long as the engine can be reached. */
  missesMax: 3,
  backoffMs: { first: 250, most: 5_000 },
  /** One token; a busy engine has others before it. */
  probeMsMax: 30_000,
  /** Without a sign of life for so long, it is asked for a token: when it has work, and when it has none. */
  lateMs: 30_000,
  idleMs: 60_000,
  /** An engine of ours that failed so many times to generate is started anew. */
  hangsMax: 3,
  /** So is one that served, is still there, and has not served for so long. */
  outMsMax: 120_000,
} as const;

export type WatchParts = Readonly<{ clock: Clock; random: Random; log: Log }>;

/** The engine's process, where it is ours. */
export interface Supervised {
  /** How many times it was started. */
  readonly starts: number;
  /** It generates. */
  serves(): void;
  /** Ends it; it is then started anew. */
  restart(why: string): void;
}

/** What a look at a running engine says of it; why it is lost, where it is. */
type Look = 'good' | 'miss' | Readonly<{ lost: string }>;

const HANGS = WHY.failed;

export class Watch implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #parts: WatchParts;
  readonly #process: Supervised | null;
  readonly #watching: Promise<void>;
  readonly #stop = new AbortController();
  #wake: (() => void) | null = null;
  #hurrying: Timer | null = null;
  #polledAt = Number.NEGATIVE_INFINITY;
  #healthAt = Number.NEGATIVE_INFINITY;
  /** The last page that was read, kept while the engine is away. */
  #reading: Reading | null = null;
  #startsSeen = 0;
  /** When it served last. */
  #servedAt = Number.NEGATIVE_INFINITY;
  /** When it last gave a sign of life, besides what it wrote for our requests. */
  #aliveAt = Number.NEGATIVE_INFINITY;
  #probing = false;
  #hangs = 0;

  constructor(engine: Engine, parts: WatchParts, process: Supervised | null = null) {
    this.#engine = engine;
    this.#parts = parts;
    this.#process = process;
    engine.onNeed((suspect) => {
      if (suspect) this.#healthAt = Number.NEGATIVE_INFINITY;
      this.#hurry();
    });
    this.#watching = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#hurrying?.cancel();
    this.#wake?.();
    await this.#watching;
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    const { random } = this.#parts;
    for (let attempt = 0; !this.#stopped; attempt++) {
      const found = await this.#find();
      if (typeof found === 'object') {
        attempt = 0;
        this.#begin(found);
        const lost = await this.#follow();
        this.#servedAt = this.#parts.clock.monotonic();
        this.#engine.lost(lost);
        if (!this.#stopped)
          this.#parts.log.warn({ engine: this.#engine.name, lost }, 'engine is gone');
      } else this.#missed(found);
      await this.#rest(backoffMs(attempt, watchLimits.backoffMs, random));
    }
  }

  #find(): Promise<Found | string> {
    const { clock, random } = this.#parts;
    const process = this.#process;
    return findEngine({
      engine: this.#engine,
      clock,
      random,
      timeoutMs: watchLimits.probeMsMax,
      signal: this.#stop.signal,
      isSame: (dialect, reading) => {
        const before = this.#engine.build;
        if (before.boot === '' || before.dialect !== dialect) return false;
        if (process) return process.starts === this.#startsSeen;
        return compare(this.#reading?.vitals ?? null, reading?.vitals ?? null) === 'same';
      },
    });
  }

  #begin({ build, listed, reading }: Found): void {
    const { clock, log } = this.#parts;
    const engine = this.#engine;
    this.#process?.serves();
    this.#startsSeen = this.#process?.starts ?? 0;
    this.#hangs = 0;
    this.#aliveAt = clock.monotonic();
    this.#reading = reading;
    const anew = build.boot !== engine.boot;
    // Its figures first: a router concludes from the first report whether the cache is empty.
    if (reading) engine.measured(reading.figures);
    engine.found(build, listed);
    log.info({ engine: engine.name, is: engine.title, anew }, 'engine generates');
    if (anew) for (const note of engine.notes) log.warn({ engine: engine.name, note }, 'engine');
  }

  /** It was looked for and is not there: `why`. */
  #missed(why: string): void {
    if (why === HANGS) {
      this.#hangs += 1;
      if (this.#hangs >= watchLimits.hangsMax) {
        this.#hangs = 0;
        this.#process?.restart(why);
      }
    } else if (this.#isStuck(why)) {
      this.#servedAt = this.#parts.clock.monotonic();
      this.#process?.restart(why);
    }
    // What its process says of its loading is better than that it does not answer yet.
    if (!this.#process || why === HANGS) this.#engine.at(why);
  }

  /** Whether a process of ours that served lives on without doing so: nobody else would ever end it. */
  #isStuck(why: string): boolean {
    if (this.#process?.starts !== this.#startsSeen) return false;
    if (why === WHY.busy || why === WHY.loading) return false;
    return this.#parts.clock.monotonic() - this.#servedAt > watchLimits.outMsMax;
  }

  /** Polls until the engine is gone; answers why. */
  async #follow(): Promise<string> {
    const { clock } = this.#parts;
    const engine = this.#engine;
    const start = clock.monotonic();
    this.#healthAt = start;
    let modelsAt = start;
    let misses = 0;
    while (!this.#stopped) {
      const now = clock.monotonic();
      this.#polledAt = now;
      if (now - modelsAt >= watchLimits.modelsMs) {
        modelsAt = now;
        const listed = await modelsOf(engine, this.#stop.signal);
        if (listed) engine.relisted(listed);
      }
      const look = await this.#look(now);
      if (typeof look === 'object') return look.lost;
      misses = look === 'miss' ? misses + 1 : 0;
      if (misses === watchLimits.missesMax) return 'it answers too late';
      if (this.#hangs > 0) return HANGS;
      this.#doubt(now);
      const { busyPollMs, idlePollMs } = watchLimits;
      await this.#rest(engine.busy ? busyPollMs : idlePollMs);
    }
    return 'the agent stops';
  }

  async #look(now: number): Promise<Look> {
    const engine = this.#engine;
    const { signal } = this.#stop;
    if (this.#process && this.#process.starts !== this.#startsSeen) {
      return { lost: 'it was started anew' };
    }
    if (now - this.#healthAt >= watchLimits.healthMs) {
      this.#healthAt = now;
      const health = await healthOf(engine, signal);
      if (health === 'slow') return 'miss';
      if (health !== 'good') return { lost: 'it is not well, or not there' };
    }
    const { metrics } = engine.build;
    if (!metrics) return 'good';
    const reading = await pageOf(engine, metrics, signal);
    if (reading === 'unreachable') return { lost: 'it does not answer' };
    if (typeof reading === 'string') return 'miss';
    return this.#measure(reading, now);
  }

  #measure(reading: Reading, now: number): Look {
    const before = this.#reading;
    // The old page stays: whoever looks for the engine then sees the same.
    if (compare(before?.vitals ?? null, reading.vitals) === 'another') {
      return { lost: 'it was started anew' };
    }
    this.#reading = reading;
    if (!before || stirred(before, reading)) this.#aliveAt = now;
    // Some know it only once they have served.
    if (this.#engine.kvTokens === null) this.#engine.learnKvTokens(reading.kvTokens);
    this.#engine.lookUps.saw(reading.figures);
    this.#engine.measured(reading.figures);
    return 'good';
  }

  /** Asks for a token where nothing shows that the engine still writes any. */
  #doubt(now: number): void {
    const engine = this.#engine;
    const model = engine.listed[0]?.id;
    if (this.#probing || model === undefined || !engine.dialect.probed) return;
    const quietMs = now - Math.max(engine.wroteAt, this.#aliveAt);
    if (quietMs < (engine.inFlight > 0 ? watchLimits.lateMs : watchLimits.idleMs)) return;
    this.#probing = true;
    void this.#prove(model, now).finally(() => {
      this.#probing = false;
    });
  }

  async #prove(model: string, since: number): Promise<void> {
    const { clock, random } = this.#parts;
    const engine = this.#engine;
    const { signal } = this.#stop;
    const parts = { engine, clock, random, timeoutMs: watchLimits.probeMsMax, signal };
    const { outcome } = await probeOnce(parts, engine.dialect, model);
    if (this.#stopped || Math.max(engine.wroteAt, this.#aliveAt) > since) return;
    if (outcome === 'failed') {
      this.#hangs += 1;
      this.#wake?.();
    } else this.#aliveAt = clock.monotonic();
  }

  /** Waits for `ms`, or less when a fresh look is wanted. */
  #rest(ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#wake = null;
        resolve();
      };
      const timer = this.#parts.clock.after(ms, wake);
      this.#wake = wake;
    });
  }

  /** Ends a rest, but never brings two polls closer together than those of a busy engine. */
  #hurry(): void {
    if (!this.#wake || this.#hurrying || !this.#engine.up) return;
    const { clock } = this.#parts;
    const due = this.#polledAt + watchLimits.busyPollMs - clock.monotonic();
    if (due <= 0) return this.#wake();
    this.#hurrying = clock.after(due, () => {
      this.#hurrying = null;
      this.#wake?.();
    });
  }
}

/** Whether anything happened within the engine: arrivals alone also come to one that hangs. */
function stirred(before: Reading, now: Reading): boolean {
  return (
    before.figures.kvUse !== now.figures.kvUse ||
    now.vitals.counters.some((count, nth) => count !== before.vitals.counters[nth])
  );
}
