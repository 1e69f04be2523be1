/**
 * Watches one engine: looks for it until it answers, then reads its metrics, ten times a second while it
 * works and once a second while it does not, until it is gone.
 */
import { z } from 'zod';
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { backoffMs } from '../backoff.ts';
import { ask, askJson } from './ask.ts';
import { openai } from './dialects/openai.ts';
import { vllm } from './dialects/vllm.ts';
import type { Build, Engine } from './engine.ts';
import { type Figures, readFigures } from './gauges.ts';
import { ModelList, type ServedEntry } from './models.ts';

const watchLimits = {
  busyPollMs: 100,
  idlePollMs: 1_000,
  healthMs: 1_000,
  modelsMs: 10_000,
  /** One question to an engine; a busy one answers late. */
  askMsMax: 3_000,
  /** Questions in a row that may go without a good answer, as long as the engine can be reached. */
  missesMax: 3,
  backoffMs: { first: 250, most: 5_000 },
} as const;

const Version = z.object({ version: z.string().regex(/^[\w.+-]{1,64}$/) });

export type WatchParts = Readonly<{ clock: Clock; random: Random; log: Log }>;

type Found = Readonly<{ build: Build; listed: readonly ServedEntry[]; figures: Figures | null }>;

/** What a look at a running engine says of it. */
type Look = 'good' | 'miss' | 'gone';

export class Watch implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #parts: WatchParts;
  readonly #watching: Promise<void>;
  readonly #stop = new AbortController();
  #wake: (() => void) | null = null;
  #hurrying: Timer | null = null;
  #polledAt = Number.NEGATIVE_INFINITY;
  #healthAt = Number.NEGATIVE_INFINITY;

  constructor(engine: Engine, parts: WatchParts) {
    this.#engine = engine;
    this.#parts = parts;
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
    const { random, log } = this.#parts;
    const name = this.#engine.name;
    for (let attempt = 0; !this.#stopped; attempt++) {
      const found = await this.#find();
      if (found) {
        attempt = 0;
        // Its figures first: a router concludes from the first report whether the cache is empty.
        if (found.figures) this.#engine.measured(found.figures);
        this.#engine.found(found.build, found.listed);
        log.info({ engine: name, is: this.#engine.title }, 'engine answers');
        await this.#follow();
        this.#engine.lost();
        if (!this.#stopped) log.warn({ engine: name }, 'engine is gone');
      }
      await this.#rest(backoffMs(attempt, watchLimits.backoffMs, random));
    }
  }

  /** What the engine is and lists, once it is healthy; null until then. */
  async #find(): Promise<Found | null> {
    if ((await this.#health()) !== 'good') return null;
    const listed = await this.#models();
    if (!listed) return null;
    const version = Version.safeParse(await askJson(this.#engine.asking, this.#about('/version')));
    const boot = Buffer.from(this.#parts.random.bytes(16)).toString('hex');
    const build = version.success
      ? { dialect: vllm, version: version.data.version, boot }
      : { dialect: openai, version: null, boot };
    return { build, listed, figures: await this.#figures(build) };
  }

  async #figures({ dialect }: Build): Promise<Figures | null> {
    if (!dialect.metrics) return null;
    const page = await ask(this.#engine.asking, this.#about('/metrics'));
    const isPage = typeof page === 'object' && page.status === 200;
    return isPage ? readFigures(page.text, dialect.metrics) : null;
  }

  /** Polls until the engine is gone. */
  async #follow(): Promise<void> {
    const { clock } = this.#parts;
    const start = clock.monotonic();
    this.#healthAt = start;
    let modelsAt = start;
    let misses = 0;
    while (!this.#stopped) {
      const now = clock.monotonic();
      this.#polledAt = now;
      if (now - modelsAt >= watchLimits.modelsMs) {
        modelsAt = now;
        const listed = await this.#models();
        if (listed) this.#engine.relisted(listed);
      }
      const look = await this.#look(now);
      misses = look === 'miss' ? misses + 1 : 0;
      if (look === 'gone' || misses === watchLimits.missesMax) return;
      const { busyPollMs, idlePollMs } = watchLimits;
      await this.#rest(this.#engine.busy ? busyPollMs : idlePollMs);
    }
  }

  async #look(now: number): Promise<Look> {
    if (now - this.#healthAt >= watchLimits.healthMs) {
      this.#healthAt = now;
      const health = await this.#health();
      if (health !== 'good') return health;
    }
    const { asking, dialect } = this.#engine;
    if (!dialect.metrics) return 'good';
    const page = await ask(asking, this.#about('/metrics'));
    if (page === 'unreachable') return 'gone';
    if (page === 'slow' || page.status !== 200) return 'miss';
    this.#engine.measured(readFigures(page.text, dialect.metrics));
    return 'good';
  }

  /** An engine without such a page is as healthy as its other answers; one that says it is not, is gone. */
  async #health(): Promise<Look> {
    const answer = await ask(this.#engine.asking, this.#about('/health'));
    if (answer === 'unreachable') return 'gone';
    if (answer === 'slow') return 'miss';
    return answer.status === 200 || answer.status === 404 ? 'good' : 'gone';
  }

  async #models(): Promise<readonly ServedEntry[] | null> {
    const answer = await askJson(this.#engine.asking, this.#about('/v1/models'));
    const list = ModelList.safeParse(answer);
    return list.success ? list.data.data : null;
  }

  #about(path: string) {
    return { path, timeoutMs: watchLimits.askMsMax, signal: this.#stop.signal };
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
