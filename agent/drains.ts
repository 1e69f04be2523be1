/**
 * The engines that an operator has drained. A drain is received from one router, applies to all
 * routers, and lasts until a router ends it or the agent restarts.
 */
import { Listeners } from './listeners.ts';

export class Drains {
  readonly #engines = new Set<string>();
  readonly #changes = new Listeners();

  has(engine: string): boolean {
    return this.#engines.has(engine);
  }

  add(engine: string): void {
    if (this.#engines.has(engine)) return;
    this.#engines.add(engine);
    this.#changes.notify();
  }

  delete(engine: string): void {
    if (this.#engines.delete(engine)) this.#changes.notify();
  }

  onChange(run: () => void): Disposable {
    return this.#changes.add(run);
  }
}
