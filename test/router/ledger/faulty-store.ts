/**
 * A store in front of a real one, whose batches fail on demand: before the operation reaches
 * the store, or after.
 */
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';

export type Fault = 'none' | 'unreached' | 'unanswered';

export class FaultyStore implements Store {
  fault: Fault = 'none';
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  readonly call: Store['call'] = (procedure, input) => this.#store.call(procedure, input);

  readonly runBatch: Store['runBatch'] = async (executor, operations, listener) => {
    const { fault } = this;
    if (fault === 'unreached') throw new StoreUnavailable('unreached');
    const figures = await this.#store.runBatch(
      executor,
      operations,
      fault === 'none' ? listener : { ...listener, answers: drop },
    );
    if (fault === 'unanswered') throw new StoreUnavailable('unanswered');
    return figures;
  };

  readonly onAnnouncement: Store['onAnnouncement'] = (listener) =>
    this.#store.onAnnouncement(listener);

  async [Symbol.asyncDispose](): Promise<void> {}
}

function drop(): void {}
