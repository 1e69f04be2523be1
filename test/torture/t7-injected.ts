/**
 * T7 without `libfaketime`: the ledgers of two routers (one on SQLite, which has a single writer)
 * get wall clocks that jump by an hour, by a day and back, while their monotonic clocks continue.
 * No hold is freed early, and each is charged once, however often the settlement is repeated.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenLedger, openLedger } from '../../router/ledger/ledger.ts';
import { createOrganization } from '../../router/identity/organizations.ts';
import { ensurePrices } from '../../router/ledger/prices.ts';
import type { PriceVersion } from '../../router/ledger/terms.ts';
import { openStore } from '../../router/store/open-store.ts';
import { type Clock, systemClock, type Timer } from '../../shared/clock.ts';
import { mintId, type OrganizationId, type RequestId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { charge, picoUsd } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { reservationOf, usageOf } from '../support/ledger-requests.ts';
import { readBooks } from './books.ts';
import { judge } from './oracle.ts';
import type { Outcome, Stage } from './scene.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
const HOUR_MS = 3_600_000;
const LEAPS_MS = [HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, -HOUR_MS, 0];
const HOLD_TTL_MS = 4_000;
const HOLDS_PER_LEAP = 4;
const TOKENS = { prompt: 10, cached: 4, completion: 20 } as const;
const log = makeLog('torture', 'silent');

/** A wall clock with an offset of its own, over the machine's monotonic clock. */
class LeapingClock implements Clock {
  offsetMs = 0;

  now(): number {
    return systemClock.now() + this.offsetMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(ms: number, run: () => void, hold?: 'hold'): Timer {
    return systemClock.after(ms, run, hold);
  }

  every(ms: number, run: () => void): Timer {
    return systemClock.every(ms, run);
  }
}

export async function leapInjected(stage: Stage): Promise<Outcome> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-torture-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const { postgres } = stage;
  const url = postgres
    ? await postgres.database(`leap_${process.pid}`)
    : `sqlite:${join(folder, 'penstock.db')}`;
  const routers: Leaper[] = [];
  for (let index = 0; index < (postgres ? 2 : 1); index++) {
    routers.push(undo.use(await Leaper.open(url)));
  }
  const [first] = routers;
  if (!first) throw new Error('there is a router');
  const organization = await first.organization();
  const held: { router: Leaper; request: RequestId }[] = [];
  for (let hold = 0; hold < HOLDS_PER_LEAP * LEAPS_MS.length; hold++) {
    const router = routers[hold % routers.length] ?? first;
    held.push({ router, request: await router.hold(organization) });
  }
  const faults: string[] = [];
  const holds = held.length;
  for (const [leap, offsetMs] of LEAPS_MS.entries()) {
    // The clocks do not jump together, because real clocks differ, too.
    const leaping = routers[leap % routers.length] ?? first;
    leaping.clock.offsetMs = offsetMs;
    await pause(1.5 * HOLD_TTL_MS);
    const open = (await readBooks(url)).holds.length;
    if (open !== held.length) faults.push(`${open} holds are left of ${held.length}`);
    for (const { router, request } of held.splice(0, HOLDS_PER_LEAP)) {
      faults.push(...(await router.settleThrice(organization, request)));
    }
  }
  const books = await readBooks(url);
  const { violations } = judge([], books, { crashes: true });
  const charges = books.transfers.filter(({ kind }) => kind === 'usage').length;
  if (charges !== holds) faults.push(`${charges} charges were made for ${holds} holds`);
  return {
    figures: { routers: routers.length, leaps: LEAPS_MS.length, holds, charges },
    violations: [...faults, ...violations],
  };
}

/** The ledger of one router, on its own wall clock. */
class Leaper implements AsyncDisposable {
  readonly clock: LeapingClock;
  readonly #ledger: OpenLedger;
  readonly #price: PriceVersion;
  readonly #parts: Parameters<typeof createOrganization>[0];
  readonly #undo: AsyncDisposableStack;

  private constructor(
    clock: LeapingClock,
    of: {
      ledger: OpenLedger;
      price: PriceVersion;
      parts: Parameters<typeof createOrganization>[0];
      undo: AsyncDisposableStack;
    },
  ) {
    this.clock = clock;
    this.#ledger = of.ledger;
    this.#price = of.price;
    this.#parts = of.parts;
    this.#undo = of.undo;
  }

  static async open(url: string): Promise<Leaper> {
    await using undo = new AsyncDisposableStack();
    const clock = new LeapingClock();
    const store = undo.use(await openStore({ url, registry: REGISTRY }, { clock, log }));
    const parts = { store, clock, random, log };
    const config = { url: null, regions: ['global'], holdTtlMs: HOLD_TTL_MS } as const;
    const ledger = undo.use(await openLedger(parts, config));
    const listed = { prompt: picoUsd(10n), completion: picoUsd(20n), cached: picoUsd(1n) };
    const [price] = await ensurePrices(parts, [{ model: 'lab/model', price: listed }]);
    if (!price) throw new Error('no price');
    return new Leaper(clock, { ledger, price, parts, undo: undo.move() });
  }

  async organization(): Promise<OrganizationId> {
    return (await createOrganization(this.#parts, { name: 'Leap', region: 'global' })).id;
  }

  async hold(organization: OrganizationId): Promise<RequestId> {
    const request = mintId('request', this.clock, random);
    const of = { request, organization, price: this.#price.id };
    const answer = await this.#ledger.reserve(reservationOf({ ...of, amount: picoUsd(1_000n) }));
    if (typeof answer !== 'object' || !('held' in answer)) throw new Error(JSON.stringify(answer));
    return request;
  }

  /**
   * Settles three times, as a router does that does not know whether the store received the first.
   */
  async settleThrice(organization: OrganizationId, request: RequestId): Promise<string[]> {
    const cost = charge(this.#price.price, TOKENS);
    const of = { request, organization, price: this.#price.id };
    const usage = usageOf({ ...of, created: this.clock.now() }, TOKENS);
    const faults: string[] = [];
    for (let time = 0; time < 3; time++) {
      const answer = await this.#ledger.settle(usage, cost);
      if (typeof answer !== 'object') faults.push(`${request} could not be settled: ${answer}`);
      else if (answer.cost !== cost) faults.push(`${request} costs ${cost}, not ${answer.cost}`);
    }
    return faults;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#undo.disposeAsync();
  }
}
