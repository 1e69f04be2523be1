/** One engine behind the agent: its connections, its kind, its models and its load. */
import { Pool } from 'undici';
import type { Clock } from '../../shared/clock.ts';
import type { Gpu } from '../../shared/wire/messages.ts';
import type { EngineConfig } from '../config.ts';
import type { Gpus } from '../gpu.ts';
import { type Asking, ask } from './ask.ts';
import type { Build } from './build.ts';
import type { Dialect } from './dialects/dialect.ts';
import { openai } from './dialects/openai.ts';
import { type Figures, NO_FIGURES } from './gauges.ts';
import { isDead } from './liveness-check.ts';
import type { ServedEntry } from './models.ts';
import { NOTES_MAX, notesOf } from './notes.ts';
import { PrefixCacheStats } from './prefix-cache-stats.ts';
import type { ReasoningSupport } from './reasoning-support.ts';

const NOTHING_FOUND: Build = {
  dialect: openai,
  version: null,
  boot: '',
  metrics: null,
  kvTokens: null,
  salted: false,
  runningUsage: false,
  reportsCached: false,
  notes: [],
};

/** How long the agent waits for an engine's answer when it stops a request. */
const STOP_MS_MAX = 1_000;
/** The most GPUs that a load report accepts for one worker. */
const GPUS_MAX = 64;

const CONNECT_MS_MAX = 5_000;
/** Shorter than the five seconds after which vLLM's server closes an idle connection. */
const IDLE_MS_MAX = 3_000;

export class Engine implements AsyncDisposable {
  readonly name: string;
  readonly slots: number;
  readonly configured: Readonly<Record<string, string>>;
  /** Connections for inference: one for each slot, so that no request waits for another's. */
  readonly pool: Pool;
  readonly asking: Asking;
  readonly prefixCache = new PrefixCacheStats();
  #build: Build = NOTHING_FOUND;
  #listed: readonly ServedEntry[] | null = null;
  #figures: Figures = NO_FIGURES;
  #inFlight = 0;
  #reasoning: ReasoningSupport = 'unknown';
  #stage: string | null = 'it does not answer yet';
  #wroteAt = Number.NEGATIVE_INFINITY;
  readonly #gpuNumbers: readonly number[] | undefined;
  #gpus: readonly Gpu[] = [];
  #livenessCheck: Promise<boolean> | null = null;
  readonly #changed = new Set<() => void>();
  #onNeed: (suspect: boolean) => void = () => {};

  constructor(config: EngineConfig, clock: Clock) {
    const url = new URL(config.url);
    this.name = config.name;
    this.slots = config.slots;
    this.configured = config.models;
    this.#gpuNumbers = config.gpus;
    // No timeouts: the router enforces the deadlines. No pipelining: an aborted request closes its
    // connection.
    const options = {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: CONNECT_MS_MAX,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      allowH2: false,
    };
    this.pool = new Pool(url.origin, { ...options, connections: config.slots });
    this.asking = {
      pool: new Pool(url.origin, { ...options, connections: 8 }),
      clock,
      base: url.pathname.replace(/\/(?:v1\/?)?$/, ''),
      headers: config.apiKey ? { authorization: `Bearer ${config.apiKey}` } : {},
    };
  }

  get boot(): string {
    return this.#build.boot;
  }

  get dialect(): Dialect {
    return this.#build.dialect;
  }

  /** Kind and version as in the load report: `vllm 0.25.0`. */
  get title(): string {
    const { dialect, version } = this.#build;
    return version ? `${dialect.name} ${version}` : dialect.name;
  }

  /** Whether the engine was found and has not been lost since. While false, it serves nothing. */
  get up(): boolean {
    return this.#listed !== null;
  }

  get listed(): readonly ServedEntry[] {
    return this.#listed ?? [];
  }

  get figures(): Figures {
    const { metrics } = this.#build;
    const seen = metrics ? this.#figures : { ...NO_FIGURES, running: this.#inFlight };
    return { ...seen, ...this.prefixCache.told };
  }

  get build(): Build {
    return this.#build;
  }

  get kvTokens(): number | null {
    return this.#build.kvTokens;
  }

  get salted(): boolean {
    return this.#build.salted;
  }

  /** Notes for the operator: the current stage, and the missing switches with their cost. */
  get notes(): string[] {
    const found = this.up ? notesOf(this.#build, this.#reasoning) : [];
    return (this.#stage === null ? found : [this.#stage, ...found]).slice(0, NOTES_MAX);
  }

  get gpus(): readonly Gpu[] {
    return this.#gpus;
  }

  get reasoning(): ReasoningSupport {
    return this.#reasoning;
  }

  /** When the engine last sent a chunk, in monotonic ms. */
  get wroteAt(): number {
    return this.#wroteAt;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get busy(): boolean {
    return this.#inFlight > 0 || this.#figures.running > 0 || this.#figures.waiting > 0;
  }

  /**
   * Whether counts come with every chunk: the result of the trial, until an answer shows otherwise.
   */
  get runningUsage(): boolean {
    return this.#build.runningUsage;
  }

  get reportsCached(): boolean {
    return this.#build.reportsCached;
  }

  /** Reserves a slot. Returns false when no slot is free or the engine is down. */
  take(): boolean {
    if (this.#listed === null || this.#inFlight >= this.slots) return false;
    this.#inFlight += 1;
    this.#onNeed(false);
    return true;
  }

  free(): void {
    this.#inFlight -= 1;
  }

  found(build: Build, listed: readonly ServedEntry[]): void {
    if (build.boot !== this.#build.boot) this.#reasoning = 'unknown';
    this.#build = build;
    this.#stage = null;
    this.#listed = listed;
    this.#tell();
  }

  /** Sets the models that a running engine lists now. */
  relisted(listed: readonly ServedEntry[]): void {
    if (this.#listed === null || JSON.stringify(listed) === JSON.stringify(this.#listed)) return;
    this.#listed = listed;
    this.#tell();
  }

  /** Marks the engine as lost, for the reason `why`. It serves nothing until it is found again. */
  lost(why: string): void {
    if (this.#listed === null) return;
    this.#listed = null;
    this.#stage = why;
    this.#figures = NO_FIGURES;
    this.#tell();
  }

  measured(figures: Figures): void {
    if (JSON.stringify(figures) === JSON.stringify(this.#figures)) return;
    this.#figures = figures;
    this.#tell();
  }

  /** Sets the stage that the notes show while the engine does not serve. */
  at(stage: string): void {
    if (this.up || stage === this.#stage) return;
    this.#stage = stage;
    this.#tell();
  }

  /** Assigns GPUs of the host to the engine: those in its configuration, or all of them. */
  equip(host: Gpus): void {
    const own = this.#gpuNumbers ?? [...host.keys()];
    const gpus = own.flatMap((number) => host.get(number) ?? []).slice(0, GPUS_MAX);
    if (JSON.stringify(gpus) === JSON.stringify(this.#gpus)) return;
    this.#gpus = gpus;
    this.#tell();
  }

  learnUsage(running: boolean): void {
    this.#learn({ runningUsage: running });
  }

  learnCached(): void {
    this.#learn({ reportsCached: true });
  }

  learnKvTokens(kvTokens: number | null): void {
    if (kvTokens !== null) this.#learn({ kvTokens });
  }

  learnReasoning(reasoning: ReasoningSupport): void {
    if (reasoning === this.#reasoning) return;
    this.#reasoning = reasoning;
    this.#tell();
  }

  /** Hot path. Records that a chunk of an answer came at `now` (monotonic ms). */
  wrote(now: number): void {
    this.#wroteAt = now;
  }

  /**
   * Stops a request by the engine's abort endpoint, if it has one. Resolves when the engine has
   * answered, or after `STOP_MS_MAX`.
   */
  async stop(id: string): Promise<void> {
    const { abortPath: path } = this.dialect;
    if (path === null) return;
    await ask(this.asking, { path, timeoutMs: STOP_MS_MAX, body: JSON.stringify({ rid: id }) });
  }

  /** Makes the watch check the engine as soon as possible, because it may be down. */
  suspect(): void {
    this.#onNeed(true);
  }

  /** Whether the engine has died. Answers that break off together share one liveness check. */
  isDead(): Promise<boolean> {
    this.#livenessCheck ??= isDead(this.asking).finally(() => {
      this.#livenessCheck = null;
    });
    return this.#livenessCheck;
  }

  /** Calls `run` when anything in the load report has changed. */
  onChange(run: () => void): Disposable {
    this.#changed.add(run);
    return { [Symbol.dispose]: () => void this.#changed.delete(run) };
  }

  /**
   * Calls `run` when the engine should be polled soon. `suspect`: whether the engine may be down.
   * Replaces the callback that was set before.
   */
  onNeed(run: (suspect: boolean) => void): void {
    this.#onNeed = run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.pool.destroy(), this.asking.pool.destroy()]);
  }

  /** Hot path. Listeners are called only when a value has changed. */
  #learn(learnt: Partial<Pick<Build, 'runningUsage' | 'reportsCached' | 'kvTokens'>>): void {
    const build = { ...this.#build, ...learnt };
    const keys = ['runningUsage', 'reportsCached', 'kvTokens'] as const;
    if (keys.every((key) => build[key] === this.#build[key])) return;
    this.#build = build;
    this.#tell();
  }

  #tell(): void {
    for (const run of this.#changed) run();
  }
}
