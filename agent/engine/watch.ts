/**
 * Watches one engine. Runs discovery until the engine generates. Then polls its metrics until it is
 * lost: ten times a second while the engine works, and once a second while it does not.
 */
import { jitteredBackoffMs } from '../../shared/backoff.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Engine } from './engine.ts';
import { findEngine, type Found, healthOf, modelsOf, pageOf, WHY } from './find.ts';
import type { Reading } from './gauges.ts';
import { HangDetector, PROBE_MS_MAX } from './hang-detector.ts';
import { PollPause } from './poll-pause.ts';
import { compare } from './process-fingerprint.ts';
import { titleOf } from './profile.ts';

const watchLimits = {
  busyPollMs: 100,
  idlePollMs: 1_000,
  healthMs: 1_000,
  modelsMs: 10_000,
  /** The engine is lost after this many failed polls in a row, even if it can be reached. */
  missesMax: 3,
  backoffMs: { first: 250, most: 5_000 },
  /** An engine that the agent runs is restarted after this many failed probes. */
  hangsMax: 3,
  /** It is also restarted if it has served, still runs, and has not served for this long. */
  outMsMax: 120_000,
} as const;

export type WatchParts = Readonly<{ clock: Clock; random: Random; log: Log }>;

/** The engine's process, if the agent runs it. */
export interface Supervised {
  /** How many times the process was started. */
  readonly starts: number;
  /** Called when the engine was found and generates. */
  serves(): void;
  /** Ends the process, which is then started again. */
  restart(why: string): void;
}

/** The result of one poll of a running engine. `lost`: why the engine is lost. */
type Look = 'good' | 'miss' | Readonly<{ lost: string }>;

const HANGS = WHY.failed;

export class Watch implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #parts: WatchParts;
  readonly #process: Supervised | null;
  readonly #watching: Promise<void>;
  readonly #stop = new AbortController();
  readonly #pause: PollPause;
  readonly #hangDetector: HangDetector;
  #healthAt = Number.NEGATIVE_INFINITY;
  /** The last metrics page that was read. It is kept while the engine is lost. */
  #reading: Reading | null = null;
  #startsSeen = 0;
  /** When the engine served last, in monotonic ms. */
  #servedAt = Number.NEGATIVE_INFINITY;
  /** Why the engine is down, as it was last logged. Null while it is up. */
  #logged: string | null = null;
  /** Failed probes since the engine was found, or last restarted. */
  #hangs = 0;

  constructor(engine: Engine, parts: WatchParts, process: Supervised | null = null) {
    this.#engine = engine;
    this.#parts = parts;
    this.#process = process;
    const { clock, random } = parts;
    const { signal } = this.#stop;
    this.#pause = new PollPause(clock, watchLimits.busyPollMs);
    const onHang = () => {
      this.#hangs += 1;
      this.#pause.wake();
    };
    this.#hangDetector = new HangDetector({ engine, clock, random, signal, onHang });
    engine.onPollNeeded((suspect) => {
      if (suspect) this.#healthAt = Number.NEGATIVE_INFINITY;
      if (engine.up) this.#pause.hurry();
    });
    this.#watching = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#pause[Symbol.dispose]();
    await this.#watching;
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    const { random } = this.#parts;
    for (let failures = 1; !this.#stopped; failures++) {
      const found = await this.#find();
      if (typeof found === 'object') {
        failures = 1;
        this.#begin(found);
        const lost = await this.#follow();
        this.#servedAt = this.#parts.clock.monotonic();
        this.#engine.lost(lost);
        this.#logged = lost;
        if (!this.#stopped)
          this.#parts.log.warn({ engine: this.#engine.name, lost }, 'engine was lost');
      } else if (!this.#stopped) this.#missed(found);
      await this.#pause.rest(jitteredBackoffMs(failures, watchLimits.backoffMs, random));
    }
  }

  #find(): Promise<Found | string> {
    const { clock, random } = this.#parts;
    const process = this.#process;
    return findEngine({
      engine: this.#engine,
      clock,
      random,
      timeoutMs: PROBE_MS_MAX,
      signal: this.#stop.signal,
      isSame: (dialect, reading) => {
        const before = this.#engine.profile;
        if (before.boot === '' || before.dialect !== dialect) return false;
        if (process) return process.starts === this.#startsSeen;
        return compare(this.#reading?.fingerprint ?? null, reading?.fingerprint ?? null) === 'same';
      },
    });
  }

  #begin({ profile, listed, reading }: Found): void {
    const { clock, log } = this.#parts;
    const engine = this.#engine;
    this.#process?.serves();
    this.#startsSeen = this.#process?.starts ?? 0;
    this.#hangs = 0;
    this.#hangDetector.alive(clock.monotonic());
    this.#reading = reading;
    const anew = profile.boot !== engine.profile.boot;
    // The figures come first, because the first report shows a router whether the cache is empty.
    if (reading) engine.load.measured(reading.figures);
    engine.found(profile, listed);
    this.#logged = null;
    log.info({ engine: engine.name, is: titleOf(profile), anew }, 'engine became available');
    if (anew)
      for (const note of engine.notes)
        log.warn({ engine: engine.name, note }, 'found a limitation of the engine');
  }

  /** Called when discovery has failed, for the reason `why`. */
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
    // The loading progress of a process says more than that the engine does not answer yet.
    if (this.#process && why !== HANGS) return;
    this.#engine.at(why);
    if (why === this.#logged) return;
    this.#logged = why;
    this.#parts.log.warn({ engine: this.#engine.name, why }, 'engine cannot be used');
  }

  /**
   * Whether a process that the agent runs has served, still runs, and does not serve any more.
   * Nothing else would ever end such a process.
   */
  #isStuck(why: string): boolean {
    if (this.#process?.starts !== this.#startsSeen) return false;
    if (why === WHY.busy || why === WHY.loading) return false;
    return this.#parts.clock.monotonic() - this.#servedAt > watchLimits.outMsMax;
  }

  /** Polls until the engine is lost. Returns the reason. */
  async #follow(): Promise<string> {
    const { clock } = this.#parts;
    const engine = this.#engine;
    const start = clock.monotonic();
    this.#healthAt = start;
    let modelsAt = start;
    let misses = 0;
    while (!this.#stopped) {
      const now = clock.monotonic();
      this.#pause.polled(now);
      if (now - modelsAt >= watchLimits.modelsMs) {
        modelsAt = now;
        const listed = await modelsOf(engine, this.#stop.signal);
        if (listed) engine.relisted(listed);
      }
      const look = await this.#look(now);
      if (typeof look === 'object') return look.lost;
      misses = look === 'miss' ? misses + 1 : 0;
      if (misses === watchLimits.missesMax)
        return 'its health or metrics endpoint failed several times in a row';
      if (this.#hangs > 0) return HANGS;
      this.#hangDetector.check(now);
      const { busyPollMs, idlePollMs } = watchLimits;
      await this.#pause.rest(engine.load.busy ? busyPollMs : idlePollMs);
    }
    return 'the agent is stopping';
  }

  async #look(now: number): Promise<Look> {
    const engine = this.#engine;
    const { signal } = this.#stop;
    if (this.#process && this.#process.starts !== this.#startsSeen) {
      return { lost: 'it was restarted' };
    }
    if (now - this.#healthAt >= watchLimits.healthMs) {
      this.#healthAt = now;
      const health = await healthOf(engine, signal);
      if (health === 'slow') return 'miss';
      if (health !== 'good') return { lost: 'its health check failed' };
    }
    const { metrics } = engine.profile;
    if (!metrics) return 'good';
    const reading = await pageOf(engine, metrics, signal);
    if (reading === 'unreachable') return { lost: 'it does not answer' };
    if (typeof reading === 'string') return 'miss';
    return this.#measure(reading, now);
  }

  #measure(reading: Reading, now: number): Look {
    const before = this.#reading;
    // The old page is kept, so that discovery makes the same comparison.
    if (compare(before?.fingerprint ?? null, reading.fingerprint) === 'another') {
      return { lost: 'it was restarted' };
    }
    this.#reading = reading;
    if (!before || stirred(before, reading)) this.#hangDetector.alive(now);
    // Some engines report their KV capacity only after they have served a request.
    const { profile, load } = this.#engine;
    if (profile.kvTokens === null) this.#engine.learn({ kvTokens: reading.kvTokens });
    load.prefixCache.update(reading.figures);
    load.measured(reading.figures);
    return 'good';
  }
}

/**
 * Whether the engine itself has made progress. New requests do not show that, because an engine
 * that hangs receives them, too.
 */
function stirred(before: Reading, now: Reading): boolean {
  return (
    before.figures.kvUse !== now.figures.kvUse ||
    now.fingerprint.counters.some((count, nth) => count !== before.fingerprint.counters[nth])
  );
}
