/** Functions that are called after each change of a value. */
export class Listeners {
  readonly #all = new Set<() => void>();

  add(run: () => void): Disposable {
    this.#all.add(run);
    return { [Symbol.dispose]: () => void this.#all.delete(run) };
  }

  notify(): void {
    for (const run of this.#all) run();
  }
}
