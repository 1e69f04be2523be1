/** Caps of spend: of a key, and of the keys of a member together, in a month and in a day (UTC). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setMemberCaps } from '../../../router/control/members/procedures.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import type { Capped, KeyCaps, Reservation } from '../../../router/ledger/terms.ts';
import { monthOf, startOfMonth } from '../../../router/store/month.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.ts';
import type { KeyId, MemberId, OrganizationId } from '../../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { DIALECT } from '../../support/store.ts';
import { REGISTRY, Rig } from './rig.ts';

let rig: Rig;
/** Three routers, each with its own store if the database allows more than one. */
let routers: OpenLedger[];
let made = 0;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  rig = await Rig.start();
  routers = [rig.ledger];
  for (let router = 2; router <= 3; router++) {
    const store = DIALECT === 'sqlite' ? rig.store : await anotherStore();
    const config = { url: null, regions: ['global'] } as const;
    routers.push(undo.use(await openLedger({ ...rig.parts, store }, config)));
  }
});
afterEach(() => rig.check());
afterAll(async () => {
  await undo.disposeAsync();
  await rig[Symbol.asyncDispose]();
});

async function anotherStore(): Promise<Store> {
  return undo.use(await openStore({ url: rig.place.url, registry: REGISTRY }, rig));
}

type Caps = { [Name in keyof KeyCaps]: bigint };

/** A key of a member, with caps of its own. */
class Spender {
  readonly organization: OrganizationId;
  readonly member: MemberId | null;
  readonly key: KeyId;
  readonly caps: KeyCaps;

  constructor(organization: OrganizationId, member: MemberId | null, key: KeyId, caps: Caps) {
    this.organization = organization;
    this.member = member;
    this.key = key;
    this.caps = caps as KeyCaps;
  }

  wanted(amount: bigint): Reservation {
    const { organization, member, key, caps } = this;
    return rig.reservation(organization, amount, {
      key,
      member,
      limits: { ...UNLIMITED, ...caps },
    });
  }

  /** Raises the hold of a request, in units of one. */
  holdAt({ request }: Reservation, amount: bigint) {
    const { organization, member, caps } = this;
    const [total, unit] = [picoUsd(amount), picoUsd(1n)];
    return rig.ledger.extend({ request, organization, member, amount: total, unit, ...caps });
  }

  /** Charges ten for each prompt token. */
  settle({ request }: Reservation, prompt: number, ledger = rig.ledger) {
    const usage = this.usage(request, prompt);
    return ledger.settle(usage, picoUsd(10n * BigInt(prompt)), this.caps);
  }

  usage(request: Reservation['request'], prompt: number) {
    const { organization, member, key } = this;
    return { ...rig.usage(organization, request, { prompt, completion: 0 }), member, key };
  }

  async spend(prompt: number): Promise<Reservation> {
    const wanted = this.wanted(10n * BigInt(prompt));
    expect(await ask([wanted])).toEqual(['held']);
    expect(await this.settle(wanted, prompt)).toEqual({ cost: 10n * BigInt(prompt) });
    return wanted;
  }

  setMemberCaps(
    caps: { monthlyCap?: PicoUsd | null; dailyCap?: PicoUsd | null },
    now = rig.clock.now(),
  ) {
    const { organization, member } = this;
    if (member === null) throw new Error('there is no member');
    return rig.store.call(setMemberCaps, { organization, member, change: caps, now });
  }
}

async function spender(caps: Caps = {}): Promise<Spender> {
  const organization = await rig.organization(1_000_000n);
  return new Spender(organization, null, await rig.key(organization, `k${made++}`), caps);
}

/** Some keys of one member. */
async function spendersOfMember(keys: number): Promise<readonly Spender[]> {
  const organization = await rig.organization(1_000_000n);
  const member = await rig.member(organization, `m${made++}`);
  const all: Spender[] = [];
  for (let key = 0; key < keys; key++) {
    const id = await rig.key(organization, `k${made++}`, member);
    all.push(new Spender(organization, member, id, {}));
  }
  return all;
}

/** Sends the reservations to the routers in turn, and returns each answer in one word. */
async function ask(reservations: readonly Reservation[]): Promise<string[]> {
  const asked = reservations.map(async (reservation, index) => {
    const answer = await (routers[index % 3] as OpenLedger).reserve(reservation);
    if (typeof answer === 'string') return answer;
    return 'capped' in answer ? `${answer.capped.of} ${answer.capped.window}` : 'held';
  });
  return await Promise.all(asked);
}

function count(answers: readonly string[], word: string): number {
  return answers.filter((answer) => answer === word).length;
}

/** Lets time pass until the given hour of the next day (UTC). */
async function nextDay(hour = 1): Promise<void> {
  const now = rig.clock.now();
  const then = (Math.floor(now / DAY_MS) + 1) * DAY_MS + hour * HOUR_MS;
  rig.clock.advance(then - now - 10_000);
  await rig.pass(10_000, ...routers);
}

test("MONEY 4: a key's monthly cap stops the key at once and its streams at the cap, and not the organization", async () => {
  const capped = await spender({ monthlyCap: 100n });
  const first = capped.wanted(60n);
  expect(await ask([first])).toEqual(['held']);
  expect(await ask([capped.wanted(41n)])).toEqual(['key month']);
  expect(await capped.holdAt(first, 120n)).toEqual({ held: 100n });
  expect(await capped.holdAt(first, 120n)).toEqual({ held: 100n });
  expect(await capped.settle(first, 9)).toEqual({ cost: 90n });
  // What was held and not spent is available to the key again.
  expect(await ask([capped.wanted(11n)])).toEqual(['key month']);
  expect(await ask([capped.wanted(10n)])).toEqual(['held']);
  const { organization } = capped;
  const free = await rig.key(organization, `free${made}`);
  expect(await ask([rig.reservation(organization, 1_000n, { key: free })])).toEqual(['held']);
  // A new UTC month starts a new cap. Open holds still count.
  rig.clock.advance(31 * DAY_MS);
  await rig.pass(10_000, ...routers);
  expect(await ask([capped.wanted(91n)])).toEqual(['key month']);
  expect(await ask([capped.wanted(90n)])).toEqual(['held']);
});

test("MONEY 4: a key's daily cap stops the key until the next day (UTC), beside its monthly cap", async () => {
  await nextDay();
  const capped = await spender({ dailyCap: 100n, monthlyCap: 250n });
  const first = capped.wanted(60n);
  expect(await ask([first])).toEqual(['held']);
  expect(await ask([capped.wanted(41n)])).toEqual(['key day']);
  expect(await capped.holdAt(first, 120n)).toEqual({ held: 100n });
  expect(await capped.settle(first, 9)).toEqual({ cost: 90n });
  expect(await ask([capped.wanted(11n)])).toEqual(['key day']);
  await nextDay();
  await capped.spend(10);
  expect(await ask([capped.wanted(1n)])).toEqual(['key day']);
  await nextDay();
  // 190 are spent in the month. Of two caps, the one that is reset last is named.
  expect(await ask([capped.wanted(61n)])).toEqual(['key month']);
  expect(await ask([capped.wanted(101n)])).toEqual(['key month']);
  await capped.spend(6);
  const { organization, key, caps } = capped;
  const limits = { ...UNLIMITED, ...caps };
  const standing = await rig.ledger.keyStanding({ organization, key, limits });
  expect(standing).toMatchObject({ spent: 250n, today: 60n });
});

test('a refusal names the cap, what is left of it and when it is reset', async () => {
  await nextDay(23);
  const tomorrow = (Math.floor(rig.clock.now() / DAY_MS) + 1) * DAY_MS;
  const capped = await spender({ dailyCap: 5n });
  const refused = { of: 'key', window: 'day', resets: tomorrow, unspent: 5n };
  expect(await rig.ledger.reserve(capped.wanted(6n))).toEqual({ capped: { ...refused, left: 5n } });
  expect(await ask([capped.wanted(2n)])).toEqual(['held']);
  expect(await rig.ledger.reserve(capped.wanted(4n))).toEqual({ capped: { ...refused, left: 3n } });
});

test('of several caps, a refusal names one that is reached, and else the one of which the least is left', async () => {
  await nextDay();
  const capped = await spender({ dailyCap: 50n, monthlyCap: 100n });
  const room = async (amount: bigint) => {
    const answer = await rig.ledger.reserve(capped.wanted(amount));
    const { window, unspent } = (answer as { capped: Capped }).capped;
    return [window, unspent];
  };
  expect(await room(101n)).toEqual(['day', 50n]);
  await capped.spend(5);
  expect(await room(60n)).toEqual(['day', 0n]);
  await nextDay();
  await capped.spend(5);
  expect(await room(1n)).toEqual(['month', 0n]);
});

test('MONEY 4: a daily cap holds over three routers that ask at once', async () => {
  const capped = await spender({ dailyCap: 100n });
  const answers = await ask(Array.from({ length: 60 }, () => capped.wanted(7n)));
  expect([count(answers, 'held'), count(answers, 'key day')]).toEqual([14, 46]);
});

test('a daily cap that is set in the middle of a day counts what was spent before, and not yesterday', async () => {
  await nextDay();
  const free = await spender();
  await free.spend(50);
  await nextDay();
  await free.spend(4);
  const capped = new Spender(free.organization, null, free.key, { dailyCap: 100n });
  expect(await ask([capped.wanted(61n)])).toEqual(['key day']);
  expect(await ask([capped.wanted(60n)])).toEqual(['held']);
});

test('what a router of an earlier version charges counts in a day that has begun, and else in the month', async () => {
  await nextDay();
  const capped = await spender({ dailyCap: 100n, monthlyCap: 500n });
  await capped.spend(3);
  const days = `SELECT day_from, before_day FROM meters WHERE key = '${capped.key}'`;
  /** Such a router writes the month only. */
  const spendEarlier = async (prompt: number) => {
    const [row] = await rig.sql(days);
    const { day_from: from, before_day: before } = row as Record<string, bigint>;
    await capped.spend(prompt);
    const set = `day_from = ${from}, before_day = ${before}`;
    await rig.sql(`UPDATE meters SET ${set} WHERE key = '${capped.key}'`);
    await rig.check();
  };
  await spendEarlier(4);
  expect(await ask([capped.wanted(31n)])).toEqual(['key day']);
  await nextDay();
  await spendEarlier(5);
  await rig.pass(10_000, ...routers);
  await capped.spend(10);
  expect(await ask([capped.wanted(1n)])).toEqual(['key day']);
  expect(await rig.sql(`SELECT spent FROM meters WHERE key = '${capped.key}'`)).toEqual([
    { spent: 220n },
  ]);
});

test('a charge of such a router may be booked before the day begins, and was submitted a little later', async () => {
  await nextDay();
  const capped = await spender({ dailyCap: 100n });
  const meter = `UPDATE meters SET day_from = `;
  const ofKey = ` WHERE key = '${capped.key}'`;
  await capped.spend(4);
  const [yesterday] = await rig.sql(`SELECT day_from FROM meters${ofKey}`);
  await nextDay();
  await capped.spend(5);
  const before = (yesterday as { day_from: bigint }).day_from;
  await rig.sql(`${meter}${before}, before_day = 0${ofKey}`);
  await capped.spend(1);
  // The operation that began the day was submitted 100 ms before the charge of 50.
  await rig.sql(`${meter}day_from - 100${ofKey}`);
  await rig.check();
});

test('a charge of yesterday that is reversed today gives back nothing of today below zero', async () => {
  await nextDay();
  const capped = await spender({ dailyCap: 100n });
  const yesterday = await capped.spend(9);
  await nextDay();
  await capped.spend(2);
  const cut = { ...capped.usage(yesterday.request, 9), finishReason: null, status: 502 };
  await rig.ledger.void(cut);
  expect(await ask([capped.wanted(101n)])).toEqual(['key day']);
  expect(await ask([capped.wanted(100n)])).toEqual(['held']);
});

test("MONEY 4: a member's caps hold for all of their keys together, over three routers, and for nobody else", async () => {
  const [one, two, three] = (await spendersOfMember(3)) as [Spender, Spender, Spender];
  await one.setMemberCaps({ monthlyCap: picoUsd(200n), dailyCap: picoUsd(100n) });
  const wanted = Array.from({ length: 60 }, (_, index) =>
    ([one, two, three][index % 3] as Spender).wanted(7n),
  );
  const answers = await ask(wanted);
  expect([count(answers, 'held'), count(answers, 'member day')]).toEqual([14, 46]);
  const { organization } = one;
  const other = new Spender(organization, null, await rig.key(organization, `o${made++}`), {});
  expect(await ask([other.wanted(5_000n)])).toEqual(['held']);
});

test('MONEY 4: what the keys of a member have spent and hold counts, also from before the cap was set', async () => {
  await nextDay();
  const [one, two] = (await spendersOfMember(2)) as [Spender, Spender];
  await one.spend(5);
  await nextDay();
  await two.spend(3);
  const running = one.wanted(20n);
  expect(await ask([running])).toEqual(['held']);
  await two.setMemberCaps({ monthlyCap: picoUsd(200n), dailyCap: picoUsd(100n) });
  // 80 are spent this month, 30 of them today, and 20 are held.
  expect(await ask([two.wanted(51n)])).toEqual(['member day']);
  expect(await one.holdAt(running, 90n)).toEqual({ held: 70n });
  expect(await one.settle(running, 6)).toEqual({ cost: 60n });
  expect(await ask([two.wanted(11n)])).toEqual(['member day']);
  // A new cap applies at once, also to what is running.
  const more = two.wanted(10n);
  expect(await ask([more])).toEqual(['held']);
  await two.setMemberCaps({ dailyCap: null });
  expect(await two.holdAt(more, 500n)).toEqual({ held: 60n });
  expect(await ask([one.wanted(1n)])).toEqual(['member month']);
  await two.setMemberCaps({ monthlyCap: null });
  expect(await two.holdAt(more, 500n)).toEqual({ held: 500n });
  expect(await rig.sql(`SELECT request FROM holds WHERE member = '${two.member}'`)).toEqual([]);
  expect(await two.settle(more, 50)).toEqual({ cost: 500n });
});

test("a member's holds are freed with the router that made them, and a late charge passes the same cap", async () => {
  await nextDay();
  const [one] = (await spendersOfMember(1)) as [Spender];
  await one.setMemberCaps({ dailyCap: picoUsd(100n) });
  const dead = await rig.openLedger({ store: rig.store });
  const [first, second] = [one.wanted(90n), one.wanted(10n)];
  expect(await dead.reserve(first)).toHaveProperty('held');
  expect(await dead.reserve(second)).toHaveProperty('held');
  expect(await ask([one.wanted(1n)])).toEqual(['member day']);
  await rig.sweep(dead.incarnation);
  const third = one.wanted(60n);
  expect(await ask([third])).toEqual(['held']);
  expect(await one.settle(first, 9)).toBe('refused');
  expect(await one.settle(second, 1)).toEqual({ cost: 10n });
  expect(await one.settle(third, 6)).toEqual({ cost: 60n });
  expect(await ask([one.wanted(31n)])).toEqual(['member day']);
});

test('a charge that is reversed is given back to the member', async () => {
  await nextDay();
  const [one] = (await spendersOfMember(1)) as [Spender];
  await one.setMemberCaps({ monthlyCap: picoUsd(100n) });
  const { request } = await one.spend(10);
  expect(await ask([one.wanted(1n)])).toEqual(['member month']);
  await rig.ledger.void({ ...one.usage(request, 10), finishReason: null, status: 502 });
  expect(await ask([one.wanted(100n)])).toEqual(['held']);
});

test('caps of a member that are set just before midnight, and wait for the lock until after it, count the new day', async () => {
  await nextDay(23);
  const [one, two] = (await spendersOfMember(2)) as [Spender, Spender];
  await two.spend(4);
  const before = rig.clock.now();
  await nextDay();
  await one.spend(3);
  await one.setMemberCaps({ monthlyCap: picoUsd(130n), dailyCap: picoUsd(100n) }, before);
  expect(await ask([two.wanted(61n)])).toEqual(['member month']);
  await one.setMemberCaps({ monthlyCap: picoUsd(150n), dailyCap: picoUsd(100n) }, before);
  expect(await ask([two.wanted(71n)])).toEqual(['member day']);
  expect(await ask([two.wanted(70n)])).toEqual(['held']);
});

test('caps of a member that are set just before the end of a month count the new month', async () => {
  const newMonth = startOfMonth(monthOf(rig.clock.now()) + 1n);
  await nextDay(23);
  while (rig.clock.now() + DAY_MS < newMonth) await nextDay(23);
  const [one, two] = (await spendersOfMember(2)) as [Spender, Spender];
  await two.spend(4);
  const before = rig.clock.now();
  await nextDay();
  await one.spend(3);
  await one.setMemberCaps({ monthlyCap: picoUsd(100n) }, before);
  expect(await ask([two.wanted(71n)])).toEqual(['member month']);
  expect(await ask([two.wanted(70n)])).toEqual(['held']);
});

test('caps that change while three routers hold, charge and void lose no charge, and no batch waits for another for ever', async () => {
  await nextDay();
  const all = await spendersOfMember(4);
  const [first] = all as [Spender];
  const run = async (index: number) => {
    const one = all[index % 4] as Spender;
    const ledger = routers[index % 3] as OpenLedger;
    const wanted = one.wanted(20n);
    const answer = await ledger.reserve(wanted);
    if (typeof answer === 'string' || 'capped' in answer) return 0n;
    if (index % 7 === 0) return await ledger.void(one.usage(wanted.request, 0)).then(() => 0n);
    // Every other hold is too small, so that the charge has to pass the caps.
    const settled = await one.settle(wanted, index % 2 === 0 ? 1 : 3, ledger);
    if (typeof settled !== 'object') return 0n;
    if (index % 5 !== 0) return settled.cost;
    await ledger.void({ ...one.usage(wanted.request, 1), finishReason: null, status: 502 });
    return 0n;
  };
  const change = async (turn: number) => {
    const most = turn % 4 === 3 ? null : picoUsd(BigInt(400 + 200 * turn));
    return await first.setMemberCaps({ monthlyCap: most, dailyCap: most });
  };
  const changes: Promise<unknown>[] = [];
  const charged: bigint[] = [];
  for (let round = 0; round < 12; round++) {
    changes.push(change(round));
    const costs = await Promise.all(Array.from({ length: 30 }, (_, index) => run(index + round)));
    charged.push(...costs);
  }
  await Promise.all(changes);
  await first.setMemberCaps({ monthlyCap: picoUsd(100_000n), dailyCap: picoUsd(100_000n) });
  const spent = charged.reduce((sum, cost) => sum + cost, 0n);
  expect(spent).toBeGreaterThan(0n);
  expect(await rig.sql('SELECT spent, before_day FROM member_caps')).toContainEqual({
    spent,
    before_day: 0n,
  });
  expect(await rig.sql(`SELECT request FROM holds WHERE key = '${first.key}'`)).toEqual([]);
  // What the batches counted is what setting the caps counts anew.
  const costs = await Promise.all(Array.from({ length: 60 }, (_, index) => run(index)));
  const [counted] = await rig.sql(`SELECT spent FROM member_caps WHERE member = '${first.member}'`);
  expect(counted).toEqual({ spent: costs.reduce((sum, cost) => sum + cost, spent) });
});
