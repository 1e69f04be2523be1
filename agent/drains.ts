/**
 * The engines that an operator has drained. A drain is received from one router, applies to all
 * routers, and lasts until the agent restarts.
 */
export class Drains {
  readonly #engines = new Set<string>();
  readonly #listeners = new Set<() => void>();

  has(engine: string): boolean {
    return this.#engines.has(engine);
  }

  add(engine: string): void {
    if (this.#engines.has(engine)) return;
    this.#engines.add(engine);
    for (const hear of this.#listeners) hear();
  }

  onChange(hear: () => void): Disposable {
    this.#listeners.add(hear);
    return { [Symbol.dispose]: () => void this.#listeners.delete(hear) };
  }
}
