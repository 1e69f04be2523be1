/**
 * One engine behind the agent. It serves while it is up: from when it was found until it is lost.
 * The listeners of `onChange` are called when its status, profile, figures or GPUs change.
 */
import type { Clock } from '../../shared/clock.ts';
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import type { EngineConfig } from '../config.ts';
import { Listeners } from '../listeners.ts';
import { EventForms } from './chunk-reader.ts';
import { EngineClient } from './client.ts';
import { EngineLoad } from './engine-load.ts';
import type { Figures } from './gauges.ts';
import { Liveness } from './liveness.ts';
import type { ServedEntry } from './models.ts';
import { NOTES_MAX, notesOf } from './notes.ts';
import { type EngineProfile, knows, type Learnt, UNKNOWN_PROFILE } from './profile.ts';

/** `listed`: the models that the engine lists. `stage`: why it is down, for the operator. */
type Status =
  | Readonly<{ up: true; listed: readonly ServedEntry[] }>
  | Readonly<{ up: false; stage: string }>;

/** Reports what the engine's KV events show of its prefix cache. */
export interface CacheReporter {
  report(): WorkerLoad['kvEvents'];
  /** A note for the operator. `lookedUp`: the tokens that the engine has looked up in its cache. */
  note(lookedUp: number): string | null;
}

export class Engine implements AsyncDisposable {
  readonly name: string;
  /** The engine's own names of models, by catalog id, as far as the operator has set them. */
  readonly configured: Readonly<Record<string, string>>;
  readonly client: EngineClient;
  readonly liveness: Liveness;
  readonly load: EngineLoad;
  readonly #changes = new Listeners();
  #status: Status = { up: false, stage: 'it does not answer yet' };
  #profile = UNKNOWN_PROFILE;
  #eventForms = new EventForms();
  #onPollNeeded: (suspect: boolean) => void = () => {};
  #cacheReporter: CacheReporter | null = null;

  constructor(config: EngineConfig, clock: Clock) {
    this.name = config.name;
    this.configured = config.models;
    this.client = new EngineClient(config, clock);
    this.liveness = new Liveness(this.client);
    this.load = new EngineLoad(config, this.#changes);
  }

  /** Whether the engine was found and has not been lost since. While false, it serves nothing. */
  get up(): boolean {
    return this.#status.up;
  }

  get listed(): readonly ServedEntry[] {
    return this.#status.up ? this.#status.listed : [];
  }

  /** What is known of the engine. It is kept while the engine is down. */
  get profile(): EngineProfile {
    return this.#profile;
  }

  /** The forms of the events that the engine has sent since it was found. */
  get eventForms(): EventForms {
    return this.#eventForms;
  }

  get figures(): Figures {
    return this.load.figures(this.#profile.metrics !== null);
  }

  /** Notes for the operator: why the engine is down, or its missing switches with their cost. */
  get notes(): string[] {
    const status = this.#status;
    if (!status.up) return [status.stage];
    const ofCache = this.#cacheReporter?.note(this.figures.prefixQueryTokens) ?? [];
    return [...notesOf(this.#profile), ofCache].flat().slice(0, NOTES_MAX);
  }

  /** What the engine's KV events show. Undefined when none arrive. */
  get kvEvents(): WorkerLoad['kvEvents'] {
    return this.#cacheReporter?.report();
  }

  /** Sets the reporter of the prefix cache. The result is to be called when its note has changed. */
  reportsCacheBy(reporter: CacheReporter): () => void {
    this.#cacheReporter = reporter;
    return () => this.#changes.notify();
  }

  /** Reserves a slot. Returns false when no slot is free or the engine is down. */
  take(): boolean {
    if (!this.up || !this.load.take()) return false;
    this.#onPollNeeded(false);
    return true;
  }

  free(): void {
    this.load.free();
  }

  found(profile: EngineProfile, listed: readonly ServedEntry[]): void {
    this.#profile = profile;
    this.#eventForms = new EventForms();
    this.#become({ up: true, listed });
  }

  /** Sets the models that a running engine lists now. */
  relisted(listed: readonly ServedEntry[]): void {
    if (!this.up || JSON.stringify(listed) === JSON.stringify(this.listed)) return;
    this.#become({ up: true, listed });
  }

  /** Marks the engine as lost, for the reason `why`. It serves nothing until it is found again. */
  lost(why: string): void {
    if (!this.up) return;
    this.load.forgetFigures();
    this.#become({ up: false, stage: why });
  }

  /** Sets the stage that the notes show while the engine does not serve. */
  at(stage: string): void {
    if (this.#status.up || stage === this.#status.stage) return;
    this.#become({ up: false, stage });
  }

  /** Corrects what discovery has found by what the engine has shown since. */
  learn(learnt: Learnt): void {
    if (knows(this.#profile, learnt)) return;
    this.#profile = { ...this.#profile, ...learnt };
    this.#changes.notify();
  }

  /** Makes the watch check the engine as soon as possible, because it may be down. */
  suspect(): void {
    this.#onPollNeeded(true);
  }

  onChange(run: () => void): Disposable {
    return this.#changes.add(run);
  }

  /**
   * Calls `run` when the engine should be polled soon. `suspect`: whether the engine may be down.
   * Replaces the callback that was set before.
   */
  onPollNeeded(run: (suspect: boolean) => void): void {
    this.#onPollNeeded = run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }

  #become(status: Status): void {
    this.#status = status;
    this.#changes.notify();
  }
}
