/**
 * Serves requests of the first run's organization from hold to charge, as the request path does.
 */
import { expect } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type AgentId, type KeyId, mintId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { charge, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { log, PEPPER, type Rig } from './rig.ts';

export interface Serving extends AsyncDisposable {
  readonly ledger: OpenLedger;
  readonly price: PriceVersion;
  serve(key: KeyId, more?: Partial<Usage>): Promise<Usage>;
}

const FIGURES = { prompt: picoUsd(300n), completion: picoUsd(900n), cached: picoUsd(1n) };

export async function openServing(rig: Rig): Promise<Serving> {
  const parts = { store: rig.store, clock, random, log };
  const ledger = await openLedger(parts, { url: null, regions: ['global'] });
  const prices = await ensurePrices(parts, [{ model: 'lab/model', price: FIGURES }]);
  const [price] = prices as [PriceVersion];
  const { id: organization } = rig.first.organization;

  async function serve(key: KeyId, more: Partial<Usage> = {}): Promise<Usage> {
    const request = mintId('request', clock, random);
    const found = await ledger.findKey(digestSecret(PEPPER, rig.first.apiKey));
    const of = { request, organization, key, price: price.id };
    const amount = picoUsd(1_000_000n);
    const reservation = reservationOf({ ...of, amount, epoch: found?.epoch ?? -1n });
    expect(await ledger.reserve(reservation)).toHaveProperty('held');
    const where = { agent: 'agt_1' as AgentId, worker: 'engine' };
    const usage = usageOf(
      { ...of, ...where, created: clock.now(), ...more },
      { prompt: 100, cached: 64, completion: 20, reasoning: 5 },
    );
    const { promptTokens: prompt, cachedTokens: cached, completionTokens: completion } = usage;
    const cost = charge(FIGURES, { prompt, cached, completion });
    expect(await ledger.settle(usage, cost)).toMatchObject({ cost });
    return usage;
  }

  return { ledger, price, serve, [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose]() };
}
