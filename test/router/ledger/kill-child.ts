/**
 * A minimal router for `kill -9`: it reserves, extends and settles in an endless loop, and writes
 * to its standard output what the ledger answered: `H <request>` before it settles, `S <request>
 * <cost>` after it has settled.
 */
import { openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { charge, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { claimOf, reservationOf, usageOf } from '../../support/ledger-requests.ts';

const [url, ...organizations] = process.argv.slice(2) as [string, ...OrganizationId[]];
const log = makeLog('child', 'error');
const registry = new URL('./registry.ts', import.meta.url);
const store = await openStore({ url, registry }, { clock, log });
const parts = { store, clock, random, log };
const ledger = await openLedger(parts, { url: null, regions: ['global'] });
const price = { prompt: picoUsd(10n), completion: picoUsd(20n), cached: picoUsd(1n) };
const [version] = await ensurePrices(parts, [{ model: 'lab/model', price }]);
if (!version) throw new Error('no price');
const { id: priceId } = version;

// On a pipe, `write` is synchronous.
const say = (line: string) => process.stdout.write(`${line}\n`);

async function askForever(organization: OrganizationId): Promise<void> {
  for (;;) {
    const request = mintId('request', clock, random);
    const of = { request, organization, price: priceId };
    const [amount, slice] = [picoUsd(200n), picoUsd(100n)];
    const claim = claimOf(request);
    const held = await ledger.reserve(reservationOf({ ...of, amount, slice, claim }));
    if (typeof held !== 'object' || !('held' in held)) throw new Error(JSON.stringify(held));
    await ledger.extend({
      request,
      organization,
      amount: picoUsd(amount + slice),
      unit: picoUsd(20n),
    });
    const [prompt, completion] = [1 + random.below(10), random.below(10)];
    const cost = charge(price, { prompt, cached: 0, completion });
    const usage = usageOf({ ...of, ttftMs: null, created: clock.now() }, { prompt, completion });
    const settled = await ledger.settle(usage, cost, { claim });
    if (typeof settled === 'string') throw new Error(settled);
    say(`S ${request} ${settled.cost}`);
    // One in eight is voided, as when the final bytes could not be sent in time.
    if (random.below(8) === 0) {
      say(`V ${request}`);
      await ledger.void(usage, 0, claim);
      say(`F ${request}`);
    }
  }
}

await Promise.all(organizations.flatMap((id) => Array.from({ length: 40 }, () => askForever(id))));
