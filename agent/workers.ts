/**
 * The agent's engines as one router sees them: which of its catalog's models each engine serves,
 * and whether it accepts more requests.
 */
import type { Open, RefusedReason, WireModel, WorkerLoad } from '../shared/wire/messages.ts';
import type { Drains } from './drains.ts';
import type { Engine } from './engine/engine.ts';
import { resolveModels, type ServedModel } from './engine/models.ts';
import { titleOf } from './engine/profile.ts';

class Worker {
  readonly engine: Engine;
  models: ReadonlyMap<string, ServedModel> = new Map();
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
      lastStream: this.lastStream,
      kvTokens,
      gpus: [...engine.load.gpus],
      notes: engine.notes,
    };
  }
}

export class Workers {
  readonly #workers: ReadonlyMap<string, Worker>;
  #catalog: readonly WireModel[] = [];

  constructor(engines: readonly Engine[], drains: Drains, leaving: boolean) {
    this.#workers = new Map(engines.map((engine) => [engine.name, new Worker(engine, drains)]));
    if (leaving) this.leave();
  }

  /** Determines the models of each engine again, for a new catalog or (null) the current one. */
  resolve(catalog: readonly WireModel[] | null): void {
    if (catalog) this.#catalog = catalog;
    for (const worker of this.#workers.values()) {
      const { configured, listed } = worker.engine;
      worker.models = resolveModels(this.#catalog, configured, listed);
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
