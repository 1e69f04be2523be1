/**
 * A ledger on a real store, for one test or for a whole file of tests. Disposing it verifies the
 * books and closes it.
 */
import { expect } from 'vitest';
import { insertKey } from '../../../router/identity/keys.ts';
import { createOrganization, WELCOME_CREDIT } from '../../../router/identity/organizations.ts';
import { ledgerExecutor } from '../../../router/ledger/batch-executor.ts';
import type { BatchReport } from '../../../router/ledger/batch.ts';
import { adjustCredit, readBalance } from '../../../router/ledger/credit.ts';
import {
  type LedgerConfig,
  type LedgerParts,
  type OpenLedger,
  openLedger,
} from '../../../router/ledger/ledger.ts';
import type { Operation, Outcome } from '../../../router/ledger/operations.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Reservation, Usage } from '../../../router/ledger/terms.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { BatchAnswer } from '../../../router/store/procedure.ts';
import type { Store } from '../../../router/store/store.ts';
import { type Verification, verifyLedger } from '../../../router/verify/verify.ts';
import {
  type IncarnationId,
  type KeyId,
  type MemberId,
  mintId,
  type OrganizationId,
  type RequestId,
} from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { charge, type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { systemRandom } from '../../../shared/random.ts';
import { reservationOf, type Tokens, usageOf } from '../../support/ledger-requests.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

export const REGISTRY = new URL('./registry.ts', import.meta.url);
export const LOG = makeLog('test', 'silent');

export class Rig implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly random = systemRandom;
  readonly log = LOG;
  readonly batches: BatchReport[] = [];
  readonly place: StorePlace;
  store!: Store;
  ledger!: OpenLedger;
  price!: PriceVersion;
  /**
   * Set by a test that damages the books on purpose. The books are then not expected to balance.
   */
  damaged = false;
  #stack = new AsyncDisposableStack();

  private constructor(place: StorePlace) {
    this.place = place;
  }

  static async start(): Promise<Rig> {
    const rig = new Rig(await makeStorePlace());
    await rig.reopenStore();
    return rig;
  }

  /** Closes the store without deleting it, so that another process may open it. */
  async closeStore(): Promise<void> {
    await this.#stack.disposeAsync();
    this.#stack = new AsyncDisposableStack();
  }

  async reopenStore(): Promise<void> {
    const config = { url: this.place.url, registry: REGISTRY };
    this.store = this.#stack.use(await openStore(config, this));
    this.ledger = await this.openLedger();
    this.price = await this.priceOf(10n, 20n, 1n);
  }

  /**
   * Opens another router's ledger, with its own clock if its heartbeats are to be separate from the
   * rig's.
   */
  async openLedger(
    other: Partial<LedgerParts> = {},
    config: Partial<LedgerConfig> = {},
  ): Promise<OpenLedger> {
    const onBatch = (report: BatchReport) => void this.batches.push(report);
    const parts = { ...this.parts, onBatch, ...other };
    return this.#stack.use(await openLedger(parts, { url: null, regions: ['global'], ...config }));
  }

  get parts() {
    const { store, clock, random, log } = this;
    return { store, clock, random, log };
  }

  async priceOf(prompt: bigint, completion: bigint, cached: bigint): Promise<PriceVersion> {
    const price = {
      prompt: picoUsd(prompt),
      completion: picoUsd(completion),
      cached: picoUsd(cached),
    };
    const [version] = await ensurePrices(this.parts, [{ model: 'lab/model', price }]);
    if (!version) throw new Error('no price');
    return version;
  }

  /** Creates an organization with exactly this credit. */
  async organization(credit: bigint): Promise<OrganizationId> {
    const { id } = await createOrganization(this.parts, { name: 'Lab', region: 'global' });
    const amount = picoUsd(credit - WELCOME_CREDIT);
    if (amount !== 0n) {
      const adjustment = { organization: id, amount, reason: 'test', reference: 'test' };
      expect(await adjustCredit(this.parts, adjustment)).toMatchObject({ balance: credit });
    }
    return id;
  }

  /** Adds a person as a member. */
  async member(organization: OrganizationId, name: string): Promise<MemberId> {
    const created = this.clock.now();
    const id = `mem_${name}` as MemberId;
    await this.sql(
      `INSERT INTO people (id, email, name, password_hash, operator, created)
       VALUES ('per_${name}', '${name}@lab.example', '${name}', '', 0, ${created})`,
      `INSERT INTO members (id, organization, person, role, created)
       VALUES ('${id}', '${organization}', 'per_${name}', 'developer', ${created})`,
    );
    return id;
  }

  async key(
    organization: OrganizationId,
    name: string,
    member: MemberId | null = null,
  ): Promise<KeyId> {
    const id = `key_${name}` as KeyId;
    await this.store.call(insertKey, {
      id,
      organization,
      digest: `digest ${name}`,
      name,
      label: `sk-…${name}`,
      member,
      source: 'api',
      created: this.clock.now(),
      expires: null,
    });
    return id;
  }

  reservation(
    organization: OrganizationId,
    amount: bigint,
    more: Partial<Reservation> = {},
  ): Reservation {
    const request = mintId('request', this.clock, this.random);
    const { id: price } = this.price;
    return reservationOf({ request, organization, amount: picoUsd(amount), price, ...more });
  }

  /** Holds `amount`, expects that to succeed, and returns the request. */
  async hold(organization: OrganizationId, amount: bigint, slice = 0n): Promise<RequestId> {
    const reservation = this.reservation(organization, amount, { slice: picoUsd(slice) });
    expect(await this.ledger.reserve(reservation)).toHaveProperty('held');
    return reservation.request;
  }

  usage(organization: OrganizationId, request: RequestId, tokens: Tokens): Usage {
    const { price, clock } = this;
    const given = { request, organization, price: price.id, created: clock.now() };
    return usageOf({ ...given, worker: 'worker', ttftMs: 12.25, durationMs: 812.5 }, tokens);
  }

  cost(tokens: Tokens): PicoUsd {
    return charge(this.price.price, { cached: 0, ...tokens });
  }

  settle(organization: OrganizationId, request: RequestId, tokens: Tokens, ledger = this.ledger) {
    return ledger.settle(this.usage(organization, request, tokens), this.cost(tokens));
  }

  void(organization: OrganizationId, request: RequestId, ledger = this.ledger) {
    const usage = this.usage(organization, request, { prompt: 0, completion: 0 });
    return ledger.void({ ...usage, finishReason: null, status: 502, error: 'engine_failed' });
  }

  async balance(organization: OrganizationId) {
    const balance = await this.store.call(readBalance, organization);
    if (!balance) throw new Error('no account');
    return balance;
  }

  verify(): Promise<Verification> {
    return this.store.call(verifyLedger, null);
  }

  /** Runs one batch, and returns its answers transaction by transaction. */
  async run(operations: readonly Operation[]): Promise<(readonly BatchAnswer<Outcome>[])[]> {
    const parts: (readonly BatchAnswer<Outcome>[])[] = [];
    await this.store.runBatch(ledgerExecutor, operations, {
      answers: (answers) => void parts.push(answers),
      ready: () => {},
    });
    return parts;
  }

  /** Frees holds as a sweeper does, without a tombstone. */
  async free(...requests: readonly RequestId[]): Promise<void> {
    const { incarnation } = this.ledger;
    const now = this.clock.now();
    await this.run(requests.map((request) => ({ kind: 'free', incarnation, request, now })));
  }

  /** Ends an incarnation and frees its holds, as a peer does that found it silent. */
  async sweep(incarnation: IncarnationId): Promise<void> {
    const now = this.clock.now();
    for (let after: RequestId | null = null; ; ) {
      const by = this.ledger.incarnation;
      const ask = { kind: 'sweep', incarnation, by, beat: 'any', after, now } as const;
      const [[[, outcome] = []] = []] = await this.run([ask]);
      const holds = (outcome as { answer: readonly RequestId[] }).answer;
      if (holds.length === 0) break;
      await this.run(holds.map((request) => ({ kind: 'free', incarnation, request, now })));
      after = holds.at(-1) ?? null;
    }
    await this.run([{ kind: 'remove', incarnation }]);
  }

  /** Lets `ms` pass, with regular heartbeats of the given ledgers. */
  async pass(ms: number, ...ledgers: OpenLedger[]): Promise<void> {
    for (let rest = ms; rest > 0; rest -= 5_000) {
      this.clock.advance(Math.min(rest, 5_000));
      for (const ledger of ledgers) await ledger.heartbeat();
    }
  }

  /** Runs SQL directly on the database. */
  sql(...statements: string[]): Promise<unknown[]> {
    return this.place.sql(...statements);
  }

  /** Expects the books to balance. */
  async check(): Promise<void> {
    expect((await this.verify()).differences).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (!this.damaged) await this.check();
    } finally {
      await this.closeStore();
      await this.place[Symbol.asyncDispose]();
    }
  }
}
