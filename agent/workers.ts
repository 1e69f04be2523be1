/**
 * The agent's engines as one router sees them: which of its catalog's models each engine serves,
 * and whether it accepts more requests.
 */
import { limits } from '../shared/limits.ts';
import type { Log } from '../shared/log.ts';
import type { Open, RefusedReason, WireModel, WorkerLoad } from '../shared/wire/messages.ts';
import type { Drains } from './drains.ts';
import type { Engine } from './engine/engine.ts';
import { resolveModels, type ServedModel } from './engine/models.ts';
import { NOTES_MAX, servedNotesOf } from './engine/notes.ts';
import { titleOf } from './engine/profile.ts';

class Worker {
  readonly engine: Engine;
  models: ReadonlyMap<string, ServedModel> = new Map();
  /** Notes on what the engine serves of the router's catalog. */
  servedNotes: readonly string[] = [];
  /** Whether the whole agent has stopped accepting new requests. */
  leaving = false;
  readonly #drains: Drains;
  /** The number of the last stream that this worker accepted. */
  lastStream = 0;

  constructor(engine: Engine, drains: Drains) {
    this.engine = engine;
    this.#drains = drains;
  }

  get draining(): boolean {
    return this.leaving || this.#drains.has(this.engine.name);
  }

  get phase(): WorkerLoad['phase'] {
    if (this.draining) return 'draining';
    return this.engine.up && this.models.size > 0 ? 'ready' : 'joining';
  }

  load(): WorkerLoad {
    const { engine } = this;
    const { boot, runningUsage, salted, kvTokens } = engine.profile;
    return {
      worker: engine.name,
      engine: titleOf(engine.profile),
      boot,
      phase: this.phase,
      models: [...this.models.keys()],
      runningUsage,
      salted,
      slots: engine.load.slots,
      ...engine.figures,
      kvEvents: engine.kvEvents,
      countChars: engine.profile.dialect.countPrompt === null ? 0 : limits.linkCountChars.most,
      reportsLogprobs: engine.profile.dialect.reportsLogprobs,
      lastStream: this.lastStream,
      kvTokens,
      gpus: [...engine.load.gpus],
      notes: [...engine.notes, ...this.servedNotes].slice(0, NOTES_MAX),
    };
  }
}

export class Workers {
  readonly #workers: ReadonlyMap<string, Worker>;
  readonly #log: Log;
  #catalog: readonly WireModel[] = [];

  constructor(engines: readonly Engine[], drains: Drains, log: Log, leaving: boolean) {
    this.#log = log;
    this.#workers = new Map(engines.map((engine) => [engine.name, new Worker(engine, drains)]));
    if (leaving) this.leave();
  }

  /** Determines the models of each engine again, for a new catalog or (null) the current one. */
  resolve(catalog: readonly WireModel[] | null): void {
    if (catalog) this.#catalog = catalog;
    for (const worker of this.#workers.values()) {
      const { engine } = worker;
      worker.models = resolveModels(this.#catalog, engine.configured, engine.listed);
      const notes = servedNotesOf(engine, this.#catalog, worker.models);
      for (const note of notes) {
        if (worker.servedNotes.includes(note)) continue;
        this.#log.warn({ engine: engine.name, note }, 'found a limitation of the engine');
      }
      worker.servedNotes = notes;
    }
  }

  /** Stops accepting new requests for all workers. */
  leave(): void {
    for (const worker of this.#workers.values()) worker.leaving = true;
  }

  has(name: string): boolean {
    return this.#workers.has(name);
  }

  loads(): WorkerLoad[] {
    return [...this.#workers.values()].map((worker) => worker.load());
  }

  /**
   * Returns the engine that serves a model as the worker `name`, whether or not a slot is free.
   * Returns null when the worker is unknown or does not serve the model.
   */
  serving(name: string, id: string): { engine: Engine; model: ServedModel } | null {
    const worker = this.#workers.get(name);
    const model = worker?.models.get(id);
    return worker && model ? { engine: worker.engine, model } : null;
  }

  /** Reserves a slot for a request. Returns its engine and model, or the reason for the refusal. */
  take({
    worker: name,
    model: id,
    stream,
  }: Open): { engine: Engine; model: ServedModel } | RefusedReason {
    const worker = this.#workers.get(name);
    if (!worker) return 'unknown_worker';
    if (worker.draining) return 'draining';
    const model = worker.models.get(id);
    // While an engine is down, its models are not known.
    if (!model) return worker.engine.up ? 'unknown_model' : 'busy';
    if (!worker.engine.take()) return 'busy';
    worker.lastStream = stream;
    return { engine: worker.engine, model };
  }
}
