import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, mintId, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { readBalance } from '../../../router/ledger/credit.ts';
import { listUsage } from '../../../router/usage/listings.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { createOrganization } from '../../../router/identity/organizations.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { StoreUnavailable, type Usage } from '../../../router/ledger/terms.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { PostgresServer } from '../../torture/postgres-server.ts';
import { LOG, REGISTRY } from './rig.ts';

const KILLS = Number(process.env['PENSTOCK_KILLS'] ?? 3);
const RUN_MS = 1_200;
const AT_ONCE = 60;
const PRICE = { prompt: picoUsd(10n), completion: picoUsd(20n), cached: picoUsd(1n) };
const COST = picoUsd(30n);

test(`MONEY 23: ${KILLS} times kill -9 of PostgreSQL under load: what was acknowledged is there, nothing twice`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  await using server = await PostgresServer.create();
  await using parts = new AsyncDisposableStack();
  const url = await server.database('killed');
  const store = parts.use(await openStore({ url, registry: REGISTRY }, { clock, log: LOG }));
  const organization = await createOrganization(
    { store, clock, random },
    { name: 'Lab', region: 'global' },
  );
  const [price] = await ensurePrices({ store, clock }, [{ model: 'lab/model', price: PRICE }]);
  const ledger = parts.use(
    await openLedger(
      { store, clock, random, log: LOG },
      { url: null, regions: ['global'], holdTtlMs: 3_000 },
    ),
  );

  const load = new Load(ledger, organization.id, price?.id as Usage['price']);
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(RUN_MS + random.below(400));
    await server.kill();
    await server.start();
    // A router continues without a restart once the server is back.
    await expect.poll(() => load.settledSince(kill), { timeout: 10_000 }).toBe(true);
  }
  await load.end();

  const rows = await costsOf(store, organization.id);
  const missing = [...load.acknowledged].filter((request) => rows.get(request) !== COST);
  expect(missing).toEqual([]);
  await expect
    .poll(() => store.call(readBalance, organization.id), { timeout: 20_000, interval: 200 })
    .toMatchObject({ held: 0n });
  const { differences } = await store.call(verifyLedger, null);
  expect(differences).toEqual([]);
  process.stdout.write(
    `MONEY 23: ${KILLS} kills of PostgreSQL, ${load.acknowledged.size} settlements acknowledged, 0 lost; ` +
      `${rows.size} usage rows, ledger verify clean\n`,
  );
});

/** Reserves and settles in an endless loop, and records what was acknowledged. */
class Load {
  readonly acknowledged = new Set<RequestId>();
  readonly #ledger: OpenLedger;
  readonly #organization: OrganizationId;
  readonly #price: Usage['price'];
  readonly #running: Promise<void>[];
  #ended = false;
  #marks: number[] = [];

  constructor(ledger: OpenLedger, organization: OrganizationId, price: Usage['price']) {
    this.#ledger = ledger;
    this.#organization = organization;
    this.#price = price;
    this.#running = Array.from({ length: AT_ONCE }, () => this.#loop());
  }

  /** Returns whether a settlement was acknowledged since the first call for this kill. */
  settledSince(kill: number): boolean {
    this.#marks[kill] ??= this.acknowledged.size;
    return this.acknowledged.size > (this.#marks[kill] ?? 0);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#running);
  }

  async #loop(): Promise<void> {
    while (!this.#ended) {
      try {
        await this.#request();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(20);
      }
    }
  }

  async #request(): Promise<void> {
    const request = mintId('request', clock, random);
    const of = {
      request,
      organization: this.#organization,
      key: 'key_load' as KeyId,
      price: this.#price,
    };
    const usage = usageOf({ ...of, created: clock.now() }, { prompt: 1, completion: 1 });
    const answer = await this.#ledger.reserve(reservationOf({ ...of, amount: picoUsd(100n) }));
    expect(answer).toHaveProperty('held');
    // Repeated under the same id for as long as the result is unknown (MONEY 14).
    for (;;) {
      try {
        expect(await this.#ledger.settle(usage, COST)).toEqual({ cost: COST });
        this.acknowledged.add(request);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(20);
      }
    }
  }
}

async function costsOf(store: Store, organization: OrganizationId): Promise<Map<string, bigint>> {
  const rows = new Map<string, bigint>();
  for (let before: bigint | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listUsage.run>> = await store.call(listUsage, {
      organization,
      before,
      limit: 1_000,
    });
    for (const { request, cost } of page.rows) rows.set(request, cost);
    if (page.next === null) return rows;
    before = page.next;
  }
}
