/**
 * A new version changes tables while routers of the old version run, holds are open and a long read
 * is in progress. Nothing waits long for the change, nothing is lost, and nothing is left behind.
 */
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { LedgerFault, StoreUnavailable } from '../../../router/ledger/terms.ts';
import { MIGRATIONS } from '../../../router/store/migrate.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { bringUpToDate } from '../../../router/store/postgres/bring-up-to-date.ts';
import { connect, withKysely } from '../../../router/store/postgres/connect.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { LOG, REGISTRY, Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;
const ORGANIZATIONS = 6;
const LOOPS = 12;
const OPEN = 40;
/**
 * Longer than a batch waits for a lock. An operation that waited behind the change for all that time
 * would fail.
 */
const READ_MS = 3_500;

const TABLES = ['accounts', 'holds', 'usage'] as const;

async function addColumns(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) {
    await sql`alter table ${sql.table(table)} add column later int8 not null default 7`.execute(db);
  }
}

/** Sends requests to two routers, each with its own store, without a pause until it is disposed. */
class Load implements AsyncDisposable {
  readonly #rig: Rig;
  readonly #organizations: readonly OrganizationId[];
  readonly #stack = new AsyncDisposableStack();
  readonly routers: OpenLedger[] = [];
  #ended = false;
  #running: Promise<unknown> = Promise.resolve();
  served = 0;
  /** Operations with an unknown result, and those refused with a fault. */
  unknown = 0;
  faults = 0;

  constructor(rig: Rig, organizations: readonly OrganizationId[]) {
    this.#rig = rig;
    this.#organizations = organizations;
  }

  async start(): Promise<void> {
    const { place, parts } = this.#rig;
    for (const _ of [0, 1]) {
      const store = this.#stack.use(await openStore({ url: place.url, registry: REGISTRY }, parts));
      const ledger = await openLedger({ ...parts, store }, { url: null, regions: ['global'] });
      this.routers.push(this.#stack.use(ledger));
    }
    const loops = Array.from({ length: LOOPS }, (_, at) => this.#loop(this.router(at)));
    this.#running = Promise.all(loops);
  }

  router(at: number): OpenLedger {
    return this.routers[at % this.routers.length] as OpenLedger;
  }

  async #loop(ledger: OpenLedger): Promise<void> {
    while (!this.#ended) {
      const organization = this.organization(this.#rig.random.below(ORGANIZATIONS));
      const request = await this.hold(ledger, organization);
      await this.end(ledger, organization, request);
      this.served++;
    }
  }

  organization(at: number): OrganizationId {
    return this.#organizations[at % ORGANIZATIONS] as OrganizationId;
  }

  async hold(ledger: OpenLedger, organization: OrganizationId): Promise<RequestId> {
    const key = `key_${organization}` as KeyId;
    const reservation = this.#rig.reservation(organization, 20n, { key });
    const { request } = reservation;
    expect(await this.#again(() => ledger.reserve(reservation))).toHaveProperty('held');
    const [amount, unit] = [picoUsd(50n), picoUsd(1n)];
    const asked = { request, organization, amount, unit };
    expect(await this.#again(() => ledger.extend(asked))).toEqual({ held: 50n });
    return request;
  }

  async end(ledger: OpenLedger, organization: OrganizationId, request: RequestId): Promise<void> {
    const key = `key_${organization}` as KeyId;
    const usage = { ...this.#rig.usage(organization, request, TOKENS), key };
    const cost = picoUsd(COST);
    expect(await this.#again(() => ledger.settle(usage, cost))).toEqual({ cost });
  }

  /** Retries an unknown operation under the same id, as the router does. */
  async #again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof LedgerFault) this.faults++;
        if (!(error instanceof StoreUnavailable)) throw error;
        this.unknown++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** Resolves when this many more requests have been served. */
  async more(count: number): Promise<void> {
    const until = this.served + count;
    await expect.poll(() => this.served, { timeout: 20_000 }).toBeGreaterThanOrEqual(until);
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#stack.disposeAsync();
  }
}

/** A long-running read of all tables, which blocks every change of their definition. */
async function readLong(url: string): Promise<{ end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  for (const table of TABLES) await client.query(`SELECT count(*) FROM ${table}`);
  return {
    async end() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

async function started(rig: Rig) {
  const organizations: OrganizationId[] = [];
  for (let n = 0; n < ORGANIZATIONS; n++) organizations.push(await rig.organization(100_000_000n));
  const load = new Load(rig, organizations);
  await load.start();
  const open = await Promise.all(
    Array.from({ length: OPEN }, async (_, at) => {
      const [ledger, organization] = [load.router(at), load.organization(at)];
      return { ledger, organization, request: await load.hold(ledger, organization) };
    }),
  );
  await load.more(100);
  return { load, open, organizations };
}

async function resolved(
  rig: Rig,
  { load, open, organizations }: Awaited<ReturnType<typeof started>>,
) {
  await load.more(100);
  for (const { ledger, organization, request } of open) {
    await load.end(ledger, organization, request);
  }
  await load.stop();
  for (const organization of organizations) {
    expect(await rig.balance(organization)).toMatchObject({ held: 0n, reserve: 0n });
  }
  expect(await rig.sql('SELECT request FROM holds')).toEqual([]);
  const [row] = await rig.sql('SELECT count(*) AS n FROM usage');
  expect(row).toEqual({ n: BigInt(load.served + open.length) });
  await rig.check();
}

test('columns are added to accounts, holds and usage under load, behind a long read, and no request fails', async () => {
  await using rig = await Rig.start();
  const all = await started(rig);
  await using load = all.load;
  const reader = await readLong(rig.place.url);
  const parts = { clock: systemClock, log: LOG };
  const changed = bringUpToDate(rig.place.url, parts, {
    ...MIGRATIONS,
    '9999-later': { up: addColumns },
  });
  await new Promise((resolve) => setTimeout(resolve, READ_MS));
  await load.more(100);
  await reader.end();
  await changed;
  await resolved(rig, all);
  const [row] = await rig.sql('SELECT min(later) AS later FROM accounts');
  expect(row).toEqual({ later: 7n });
  expect({ unknown: load.unknown, faults: load.faults }).toEqual({ unknown: 0, faults: 0 });
});

test('a change by hand, which waits without end behind a long read, is an outage and no more: nothing fails for good', async () => {
  await using rig = await Rig.start();
  const all = await started(rig);
  await using load = all.load;
  const reader = await readLong(rig.place.url);
  const altered = rig.sql('ALTER TABLE accounts ADD COLUMN later int8 NOT NULL DEFAULT 7');
  await expect.poll(() => load.unknown, { timeout: 20_000 }).toBeGreaterThan(0);
  await reader.end();
  await altered;
  await resolved(rig, all);
  expect(load.faults).toBe(0);
});

test('MONEY 19: an incarnation with holds is not removed by an earlier version either; what was left is put back', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  await rig.hold(organization, 100n);
  // As a router would, with triggers active.
  const remove = rig.sql('SET session_replication_role = origin', 'DELETE FROM incarnations');
  await expect(remove).rejects.toThrow('still has holds');
  await rig.sql(
    'DELETE FROM incarnations',
    'DROP TRIGGER incarnations_keep ON incarnations',
    'DROP FUNCTION penstock_keep_incarnation',
  );
  const client = await connect({ url: rig.place.url, clock: rig.clock }, {}, () => {});
  await withKysely(client, async (db) => await MIGRATIONS['0010-incarnations']?.up(db));
  await client.end();
  // The router finds itself declared dead and starts a new incarnation. Its next heartbeat sweeps
  // the old one.
  await rig.ledger.heartbeat();
  await rig.ledger.heartbeat();
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
});
