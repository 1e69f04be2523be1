/**
 * A store in front of another, which delays chosen ledger operations until the test releases them.
 */
import type { Kind, Operation } from '../../../router/ledger/operations.ts';
import type { Store } from '../../../router/store/store.ts';

type Gate = { readonly opened: PromiseWithResolvers<void>; readonly reached: () => void };

export class GatedStore implements Store {
  readonly #store: Store;
  readonly #gates = new Map<Kind, Gate>();
  /** How often each kind of operation was requested. */
  readonly asked = new Map<Kind, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** From now on, delays every batch that contains an operation of this kind. */
  hold(kind: Kind): Readonly<{ reached: Promise<void>; letGo: () => void }> {
    const [opened, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#gates.set(kind, { opened, reached: reached.resolve });
    const letGo = () => {
      this.#gates.delete(kind);
      opened.resolve();
    };
    return { reached: reached.promise, letGo };
  }

  readonly call: Store['call'] = (procedure, input) => this.#store.call(procedure, input);

  readonly runBatch: Store['runBatch'] = async (executor, operations, listener) => {
    for (const { kind } of operations as readonly unknown[] as readonly Operation[]) {
      this.asked.set(kind, (this.asked.get(kind) ?? 0) + 1);
      const gate = this.#gates.get(kind);
      gate?.reached();
      await gate?.opened.promise;
    }
    return await this.#store.runBatch(executor, operations, listener);
  };

  readonly onAnnouncement: Store['onAnnouncement'] = (hear) => this.#store.onAnnouncement(hear);

  async [Symbol.asyncDispose](): Promise<void> {}
}
