/** Writes the history of the fleet as a router would. */
import { LISTENED, SERVED } from '../../../router/history/figures.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { writeHistory } from '../../../router/history/write.ts';
import { mintId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import type { Region } from '../../../shared/region.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Rig } from './rig.ts';

export const BUSY = 'qwen/qwen3-235b-a22b-instruct-2507';

/** A router that took no requests, and writes what the test tells it about each minute. */
export class Observer {
  readonly #clock: ManualClock;
  readonly #router: string;
  #number = 0;
  readonly #recorder = new HistoryRecorder();
  readonly #store: Pick<Rig['store'], 'call'>;

  constructor(clock: ManualClock, store: Pick<Rig['store'], 'call'>) {
    this.#clock = clock;
    this.#router = mintId('incarnation', clock, random);
    this.#store = store;
  }

  /** `served`: in how many of the six samples of the minute a worker was ready. */
  async minute(at: number, served: number, model = BUSY, region: Region = 'global') {
    const cell = this.#recorder.model(region, model);
    cell?.add(LISTENED, 6);
    cell?.add(SERVED, served);
    await this.write(at);
  }

  requests(count: number, status: number, model = BUSY, speed = 50) {
    for (let nth = 0; nth < count; nth++) {
      this.#recorder.ended('global', model, status);
      if (status !== 200) continue;
      this.#recorder.firstToken('global', model, 100 + 10 * nth);
      const tokens = { promptTokens: 1, cachedTokens: 0, completionTokens: 1 };
      const request = { model, agent: null, worker: null, ...tokens };
      this.#recorder.generated('global', request, speed);
    }
  }

  async write(minute: number) {
    this.#number += 1;
    const cells = this.#recorder.take();
    const place = { router: this.#router, number: this.#number, minute, now: this.#clock.now() };
    await this.#store.call(writeHistory, { ...place, cells });
  }
}
