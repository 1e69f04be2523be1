/** The load of an engine: its requests, its figures, its prefix cache and its GPUs. */
import type { Gpu } from '../../shared/wire/messages.ts';
import type { EngineConfig } from '../config.ts';
import type { Gpus } from '../gpu.ts';
import type { Listeners } from '../listeners.ts';
import { type Figures, NO_FIGURES } from './gauges.ts';
import { PrefixCacheStats } from './prefix-cache-stats.ts';

/** The most GPUs that a load report accepts for one worker. */
const GPUS_MAX = 64;

export class EngineLoad {
  readonly slots: number;
  readonly prefixCache = new PrefixCacheStats();
  readonly #gpuNumbers: readonly number[] | undefined;
  readonly #changes: Listeners;
  #inFlight = 0;
  #figures: Figures = NO_FIGURES;
  #gpus: readonly Gpu[] = [];

  /** `changes` are notified when the figures or the GPUs have changed. */
  constructor({ slots, gpus }: Pick<EngineConfig, 'slots' | 'gpus'>, changes: Listeners) {
    this.slots = slots;
    this.#gpuNumbers = gpus;
    this.#changes = changes;
  }

  /** The agent's own requests at the engine. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get busy(): boolean {
    return this.#inFlight > 0 || this.#figures.running > 0 || this.#figures.waiting > 0;
  }

  get gpus(): readonly Gpu[] {
    return this.#gpus;
  }

  /**
   * Returns the figures of the engine's metrics page. Of an engine without metrics, only the
   * agent's own requests are known.
   */
  figures(hasMetrics: boolean): Figures {
    const own = { ...NO_FIGURES, running: this.#inFlight };
    return { ...(hasMetrics ? this.#figures : own), ...this.prefixCache.reported };
  }

  /** Reserves a slot. Returns false when none is free. */
  take(): boolean {
    if (this.#inFlight >= this.slots) return false;
    this.#inFlight += 1;
    return true;
  }

  free(): void {
    this.#inFlight -= 1;
  }

  measured(figures: Figures): void {
    if (JSON.stringify(figures) === JSON.stringify(this.#figures)) return;
    this.#figures = figures;
    this.#changes.notify();
  }

  /** Forgets the figures without a notification, because the engine is lost, which notifies. */
  forgetFigures(): void {
    this.#figures = NO_FIGURES;
  }

  /** Assigns GPUs of the host to the engine: those in its configuration, or all of them. */
  equip(host: Gpus): void {
    const own = this.#gpuNumbers ?? [...host.keys()];
    const gpus = own.flatMap((number) => host.get(number) ?? []).slice(0, GPUS_MAX);
    if (JSON.stringify(gpus) === JSON.stringify(this.#gpus)) return;
    this.#gpus = gpus;
    this.#changes.notify();
  }
}
