/**
 * The product's ledger and store behind the skeleton: a hold and a charge with all their rows, checks
 * and durability. Nothing else of the product runs.
 */
import { createOrganization } from '../../../../router/identity/organizations.ts';
import { insertTransfer } from '../../../../router/ledger/credit.ts';
import { type OpenLedger, openLedger } from '../../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../../router/ledger/prices.ts';
import type { Usage } from '../../../../router/ledger/terms.ts';
import { openStore } from '../../../../router/store/open-store.ts';
import { systemClock as clock } from '../../../../shared/clock.ts';
import { type KeyId, mintId, type RequestId } from '../../../../shared/ids.ts';
import { makeLog } from '../../../../shared/log.ts';
import { charge, PICO_PER_USD, picoUsd } from '../../../../shared/money.ts';
import { systemRandom as random } from '../../../../shared/random.ts';
import { reservationOf, usageOf } from '../../../support/ledger-requests.ts';
import type { Booking, BookingLedger } from './ledger.ts';

const REGISTRY = new URL('../../../../router/procedures.ts', import.meta.url);
const MODEL = 'bench/model';
const TOKENS = { prompt: 8, cached: 0, completion: 16 };
const PRICE = {
  prompt: picoUsd(200_000n),
  completion: picoUsd(600_000n),
  cached: picoUsd(50_000n),
};
const COST = charge(PRICE, TOKENS);
const CREDIT = 1_000_000n * PICO_PER_USD;
/** What all requests have in common. */
type Common = Pick<Usage, 'organization' | 'key' | 'price'>;

export class ProductLedger implements BookingLedger {
  readonly #ledger: OpenLedger;
  readonly #common: Common;
  readonly #open = new Map<number, RequestId>();

  private constructor(ledger: OpenLedger, common: Common) {
    this.#ledger = ledger;
    this.#common = common;
  }

  static async start(file: string): Promise<ProductLedger> {
    const log = makeLog('bench', 'warn');
    const store = await openStore({ url: `sqlite:${file}`, registry: REGISTRY }, { clock, log });
    const parts = { store, clock, random, log };
    const { id } = await createOrganization(parts, { name: 'bench', region: 'global' });
    await store.call(insertTransfer, {
      id: mintId('transfer', clock, random),
      organization: id,
      kind: 'adjustment',
      change: CREDIT,
      reference: 'bench',
      reason: null,
      created: clock.now(),
    });
    const [price] = await ensurePrices(parts, [{ model: MODEL, price: PRICE }]);
    if (!price) throw new Error('the store has returned no price');
    const ledger = await openLedger(parts, { url: null, regions: ['global'] });
    const key = `key_${id}` as KeyId;
    return new ProductLedger(ledger, { organization: id, key, price: price.id });
  }

  async book({ kind, request: number }: Booking): Promise<void> {
    if (kind === 'hold') {
      const request = mintId('request', clock, random);
      this.#open.set(number, request);
      const reservation = { ...this.#common, request, amount: COST, tokens: TOKENS.prompt };
      const answer = await this.#ledger.reserve(reservationOf(reservation));
      if (typeof answer !== 'object' || !('held' in answer)) throw new Error('no hold was made');
      return;
    }
    const request = this.#open.get(number);
    if (request === undefined) throw new Error('a settlement without a hold');
    this.#open.delete(number);
    const usage = { ...this.#common, request, worker: 'engine', created: clock.now() };
    const answer = await this.#ledger.settle(usageOf(usage, TOKENS), COST);
    if (typeof answer !== 'object') throw new Error('no charge was made');
  }
}
