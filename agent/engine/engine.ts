/** One engine behind the agent: how it is reached, what it is, what it serves and how busy it is. */
import { Pool } from 'undici';
import type { Clock } from '../../shared/clock.ts';
import type { EngineConfig } from '../config.ts';
import type { Asking } from './ask.ts';
import { isDead } from './autopsy.ts';
import type { Dialect } from './dialects/dialect.ts';
import { openai } from './dialects/openai.ts';
import { type Figures, NO_FIGURES } from './gauges.ts';
import type { ServedEntry } from './models.ts';

/** What an engine was found to be. */
export type Build = Readonly<{
  dialect: Dialect;
  version: string | null;
  /** Random for each time it was found: it may have been started anew since. */
  boot: string;
}>;

const CONNECT_MS_MAX = 5_000;
/** Below the five seconds after which vLLM's server closes an idle connection. */
const IDLE_MS_MAX = 3_000;

export class Engine implements AsyncDisposable {
  readonly name: string;
  readonly slots: number;
  readonly configured: Readonly<Record<string, string>>;
  /** Inference: as many connections as slots, so that no request waits for another's. */
  readonly pool: Pool;
  readonly asking: Asking;
  #build: Build = { dialect: openai, version: null, boot: '' };
  #listed: readonly ServedEntry[] | null = null;
  #figures: Figures = NO_FIGURES;
  #inFlight = 0;
  #runningUsage: boolean | null = null;
  #reportsCached = false;
  #autopsy: Promise<boolean> | null = null;
  readonly #changed = new Set<() => void>();
  #onNeed: (suspect: boolean) => void = () => {};

  constructor(config: EngineConfig, clock: Clock) {
    const url = new URL(config.url);
    this.name = config.name;
    this.slots = config.slots;
    this.configured = config.models;
    // No time limits: deadlines are the router's. No pipelining: an aborted request takes its connection along.
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

  /** As the load report names it: `vllm 0.25.0`. */
  get title(): string {
    const { dialect, version } = this.#build;
    return version ? `${dialect.name} ${version}` : dialect.name;
  }

  /** Names the build that answers, and never its host. */
  get fingerprint(): string {
    const { dialect, version } = this.#build;
    return version ? `fp_${dialect.name}_${version}` : `fp_${dialect.name}`;
  }

  /** Whether it answers; until then it serves nothing. */
  get up(): boolean {
    return this.#listed !== null;
  }

  get listed(): readonly ServedEntry[] {
    return this.#listed ?? [];
  }

  get figures(): Figures {
    if (this.dialect.metrics) return this.#figures;
    return { ...NO_FIGURES, running: this.#inFlight };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get busy(): boolean {
    return this.#inFlight > 0 || this.#figures.running > 0 || this.#figures.waiting > 0;
  }

  /** By the dialect until an answer has shown it. */
  get runningUsage(): boolean {
    return this.#runningUsage ?? this.dialect.runningUsage;
  }

  /** Whether it ever said how much of a prompt was cached: then saying nothing means zero. */
  get reportsCached(): boolean {
    return this.#reportsCached;
  }

  /** Takes a slot; false when there is none, or the engine is down. */
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
    this.#build = build;
    this.#runningUsage = null;
    this.#listed = listed;
    this.#tell();
  }

  /** What a running engine lists now. */
  relisted(listed: readonly ServedEntry[]): void {
    if (this.#listed === null || JSON.stringify(listed) === JSON.stringify(this.#listed)) return;
    this.#listed = listed;
    this.#tell();
  }

  lost(): void {
    if (this.#listed === null) return;
    this.#listed = null;
    this.#figures = NO_FIGURES;
    this.#tell();
  }

  measured(figures: Figures): void {
    if (JSON.stringify(figures) === JSON.stringify(this.#figures)) return;
    this.#figures = figures;
    this.#tell();
  }

  learnUsage(running: boolean): void {
    if (running === this.runningUsage) return;
    this.#runningUsage = running;
    this.#tell();
  }

  learnCached(): void {
    this.#reportsCached = true;
  }

  /** A request could not reach it: whoever watches it looks at once. */
  suspect(): void {
    this.#onNeed(true);
  }

  /** Whether it has died: asked once for all the answers that it broke off together. */
  isDead(): Promise<boolean> {
    this.#autopsy ??= isDead(this.asking).finally(() => {
      this.#autopsy = null;
    });
    return this.#autopsy;
  }

  /** `run` is called when anything of what a load report says has changed. */
  onChange(run: () => void): Disposable {
    this.#changed.add(run);
    return { [Symbol.dispose]: () => void this.#changed.delete(run) };
  }

  /** `run` is called when a fresh look at the engine is wanted; whether it is suspected to be gone. */
  onNeed(run: (suspect: boolean) => void): void {
    this.#onNeed = run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.pool.destroy(), this.asking.pool.destroy()]);
  }

  #tell(): void {
    for (const run of this.#changed) run();
  }
}
