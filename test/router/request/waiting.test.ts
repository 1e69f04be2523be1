/**
 * What happens when every worker of a model is full: requests wait in a bounded queue that is fair
 * between organizations.
 */
import { expect, test } from 'vitest';
import type { Reply } from '../../../router/request/reply.ts';
import type { NoRoom } from '../../../router/request/waiting-room.ts';
import { Refusal } from '../../../shared/refusals.ts';
import { delivered, turnUntil } from '../../agent/support/gate.ts';
import { readStream } from '../../support/sse.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { type Customer, MODEL, refusalOf, RequestRig, SEEING } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';

const RICH = 10n ** 12n;

/** A fleet of one worker that takes `slots` requests at once. */
async function startSmall(slots = 1, limits = {}) {
  const rig = await RequestRig.start(limits);
  rig.agent.report(rig.models, { slots });
  return rig;
}

/** Sends a request that has to wait. Resolves when it is waiting. */
async function line(rig: RequestRig, customer: Customer, init: RequestInit = {}) {
  const before = waiting(rig);
  const seen = rig.post(customer, {}, init).then((response) => readStream(response));
  seen.catch(() => {});
  await rig.until(() => waiting(rig) > before);
  return { seen };
}

/** Lets a request wait that finds what `find` returns. */
function enter(rig: RequestRig, { organization }: Customer, find: () => Refusal | NoRoom) {
  const reply = { listen: () => {}, ignore: () => {} } as unknown as Reply;
  const waiter = { organization, promptTokens: 1, reply, since: null, find };
  return rig.waiting.wait(MODEL, 'global', waiter);
}

function waiting(rig: RequestRig): number {
  return rig.waitingFor(MODEL);
}

function serve(stream: AgentStream): void {
  stream.content(10, 1);
  stream.finish(10, 1);
}

test('a request for a full fleet waits, and goes on as soon as another has ended', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  const first = await rig.begin(customer);
  const { seen: second } = await line(rig, customer);
  expect(rig.agent.streams).toHaveLength(1);
  serve(first.stream);
  serve(await rig.agent.next());
  expect((await first.seen).done).toBe(true);
  expect((await second).done).toBe(true);
  expect(waiting(rig)).toBe(0);
});

test('a worker that reports more slots lets waiting requests go on', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  await rig.begin(customer);
  await line(rig, customer);
  await line(rig, customer);
  rig.agent.report(rig.models, { slots: 3 });
  await rig.until(() => rig.agent.streams.length === 3);
});

test('a full line refuses at once with 503 overloaded and says when to come back', async () => {
  await using rig = await startSmall(1, { requestsMax: 1 });
  const customer = await rig.customer(RICH);
  await rig.begin(customer);
  await line(rig, customer);
  const response = await rig.post(customer);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refusalOf(await readStream(response))).toEqual([503, 'overloaded']);
});

test('when the queue is full, others take places of the organization that has the most', async () => {
  await using rig = await startSmall(1, { requestsMax: 4 });
  const crowd = await rig.customer(RICH);
  await rig.begin(crowd);
  // Alone, it takes all places, and is refused for want of capacity.
  const lined = [];
  for (let nth = 0; nth < 4; nth++) lined.push(await line(rig, crowd));
  expect(await rig.refused(crowd)).toEqual([503, 'overloaded']);

  const second = await rig.customer(RICH);
  for (const displaced of lined.slice(2).toReversed()) {
    rig.post(second).catch(() => {});
    const answer = await displaced.seen;
    expect(refusalOf(answer)).toEqual([429, 'rate_limited']);
  }
  const [displaced] = await rig.rowsNow(crowd.organization);
  expect(displaced).toMatchObject({ status: 429, error: 'rate_limited', cost: 0n });
  // Both have as many now.
  expect(await rig.refused(second)).toEqual([503, 'overloaded']);
  expect(await rig.refused(crowd)).toEqual([503, 'overloaded']);
});

test('who crowds others out of a full queue is refused with 429, which is no unavailability', async () => {
  await using rig = await startSmall(1, { requestsMax: 4 });
  const crowd = await rig.customer(RICH);
  const { stream } = await rig.begin(crowd);
  for (let nth = 0; nth < 3; nth++) await line(rig, crowd);
  await line(rig, await rig.customer(RICH));
  expect(await rig.refused(crowd)).toEqual([429, 'rate_limited']);
  serve(stream);
});

test('requests that a full worker gave back are not displaced, and keep their order', async () => {
  await using rig = await startSmall(2, { requestsMax: 2 });
  const crowd = await rig.customer(RICH);
  const returning = [await rig.begin(crowd), await rig.begin(crowd)];
  for (const [nth, { stream }] of returning.entries()) {
    rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
    await rig.until(() => waiting(rig) === nth + 1);
  }
  expect(await rig.refused(await rig.customer(RICH))).toEqual([503, 'overloaded']);
  expect(waiting(rig)).toBe(2);
  rig.agent.report(rig.models, { slots: 2 });
  const again = [await rig.agent.next(), await rig.agent.next()];
  expect(again.map(({ open }) => open.request)).toEqual(
    returning.map(({ stream }) => stream.open.request),
  );
  for (const stream of again) serve(stream);
  for (const { seen } of returning) expect((await seen).done).toBe(true);
});

test('where a full worker gave back all requests of the largest organization, another makes place', async () => {
  await using rig = await startSmall(3, { requestsMax: 5 });
  const crowd = await rig.customer(RICH);
  const returning = [await rig.begin(crowd), await rig.begin(crowd), await rig.begin(crowd)];
  for (const [nth, { stream }] of returning.entries()) {
    rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
    await rig.until(() => waiting(rig) === nth + 1);
  }
  const second = await rig.customer(RICH);
  await line(rig, second);
  const { seen: displaced } = await line(rig, second);
  rig.post(await rig.customer(RICH)).catch(() => {});
  expect(refusalOf(await displaced)).toEqual([429, 'rate_limited']);
  expect(waiting(rig)).toBe(5);
});

test('room that nobody reported goes to those that wait, also when the queue is full', async () => {
  await using rig = await startSmall(1, { requestsMax: 1 });
  let room = 0;
  const find = () => {
    if (room === 0) return 'full' as const;
    room -= 1;
    return new Refusal('no_worker');
  };
  const first = enter(rig, await rig.customer(RICH), find);
  room = 1;
  void enter(rig, await rig.customer(RICH), find);
  expect(await first).toMatchObject({ code: 'no_worker' });
  expect(waiting(rig)).toBe(1);
});

test('a request for which a full queue has no place is decided at once if a worker tells', async () => {
  await using rig = await startSmall(1, { requestsMax: 2 });
  const crowd = await rig.customer(RICH);
  let displaced = 0;
  for (let nth = 0; nth < 2; nth++) {
    void enter(rig, crowd, () => 'full_for_it').then(() => (displaced += 1));
  }
  const refused = enter(rig, await rig.customer(RICH), () => new Refusal('no_worker'));
  expect(await refused).toMatchObject({ code: 'no_worker' });
  expect([waiting(rig), displaced]).toEqual([2, 0]);
});

test('a request that returns to the queue keeps its place, however many of its organization wait', async () => {
  await using rig = await startSmall(1, { requestsMax: 1 });
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer);
  await line(rig, customer);
  expect(await rig.refused(customer)).toEqual([503, 'overloaded']);
  rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
  await rig.until(() => waiting(rig) === 2);
  rig.agent.report(rig.models, { slots: 1 });
  const again = await rig.agent.next();
  expect(again.open.request).toBe(stream.open.request);
  serve(again);
  expect((await seen).done).toBe(true);
});

test('no request waits longer than it may, and what it held is free again', async () => {
  await using rig = await startSmall(1, { waitMsMax: 5_000 });
  const customer = await rig.customer(RICH);
  const other = await rig.customer(RICH);
  await rig.begin(customer);
  const { seen: late } = await line(rig, other);
  await rig.pass(5_500);
  expect(refusalOf(await late)).toEqual([503, 'overloaded']);
  await rig.until(() => rig.underWay.size === 1);
  expect((await rig.balance(other.organization)).held).toBe(0n);
});

test('a client that leaves the line is not served, pays nothing and holds nothing', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  const first = await rig.begin(customer);
  const other = await rig.customer(RICH);
  const leaving = new AbortController();
  await line(rig, other, { signal: leaving.signal });
  leaving.abort();
  await rig.until(() => waiting(rig) === 0);
  serve(first.stream);
  const [row] = await rig.rows(other.organization);
  expect(row).toMatchObject({ status: 499, cost: 0n });
  expect(rig.agent.streams).toHaveLength(1);
  expect((await rig.balance(other.organization)).held).toBe(0n);
});

test('what a suspended organization has in the line is refused', async () => {
  await using rig = await startSmall();
  await rig.begin(await rig.customer(RICH));
  const customer = await rig.customer(RICH);
  const { seen: refused } = await line(rig, customer);
  const { organization } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  await rig.pass(5_500);
  expect(refusalOf(await refused)).toEqual([403, 'organization_suspended']);
});

test('when the last worker of a model is gone, those who wait for it are told', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  await rig.begin(customer);
  const { seen: refused } = await line(rig, customer);
  rig.agent.drop();
  expect(refusalOf(await refused)).toEqual([503, 'no_worker']);
});

test('an agent that has no room after all has not failed: the request waits for its next report', async () => {
  await using rig = await startSmall(100);
  const customer = await rig.customer(RICH);
  for (let refusals = 0; refusals < 5; refusals++) {
    const { stream, seen } = await rig.begin(customer);
    rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
    await rig.until(() => waiting(rig) === 1);
    rig.agent.report(rig.models);
    const again = await rig.agent.next();
    expect(again.open.request).toBe(stream.open.request);
    serve(again);
    expect((await seen).done).toBe(true);
  }
});

test('an agent that reports room and refuses everything is not asked for ever', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  const answer = rig.refused(customer);
  let over = false;
  void answer.finally(() => {
    over = true;
  });
  let asked = 0;
  while (!over) {
    const stream = rig.agent.streams.find(({ taken }) => !taken);
    if (stream) {
      stream.taken = true;
      asked += 1;
      rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
      rig.agent.report(rig.models, { slots: 1 });
    }
    await delivered();
  }
  expect(await answer).toEqual([503, 'overloaded']);
  expect(asked).toBe(32);
});

test('a mistake of ours in finding a place fails that request alone', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  const first = await rig.begin(customer);
  let isFull = true;
  const find = () => {
    if (!isFull) throw new Error('ours');
    return 'full' as const;
  };
  const broken = enter(rig, customer, find);
  const { seen: behind } = await line(rig, customer);
  isFull = false;
  serve(first.stream);
  await expect(broken).rejects.toThrow('ours');
  serve(await rig.agent.next());
  expect((await behind).done).toBe(true);
});

test('nobody who comes later overtakes those of its organization who wait', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  let { stream } = await rig.begin(customer);
  const asked: string[] = [];
  for (let nth = 0; nth < 5; nth++) {
    const response = rig.post(customer).then((answer) => {
      asked.push(`${nth}`);
      return readStream(answer);
    });
    response.catch(() => {});
    await rig.until(() => waiting(rig) === nth + 1);
  }
  for (let nth = 0; nth < 5; nth++) {
    serve(stream);
    stream = await rig.agent.next();
    stream.content(10, 1);
    await rig.until(() => asked.length === nth + 1);
  }
  expect(asked).toEqual(['0', '1', '2', '3', '4']);
  serve(stream);
});

test('ten requests of one organization wait no longer than their fair share behind a thousand of another', async () => {
  const SLOTS = 20;
  await using rig = await startSmall(SLOTS, { requestsMax: 1_100 });
  const crowd = await rig.customer(10n ** 15n);
  const few = await rig.customer(RICH);
  const ask = (customer: Customer) =>
    rig
      .post(customer)
      .then(readStream)
      .catch(() => null);
  const answers = Array.from({ length: 1_000 }, () => ask(crowd));
  await turnUntil(() => waiting(rig) === 1_000 - SLOTS);
  answers.push(...Array.from({ length: 10 }, () => ask(few)));
  await turnUntil(() => waiting(rig) === 1_010 - SLOTS);

  // Agents can tell organizations apart only by their salts.
  const salt = rig.agent.streams[0]?.open.salt;
  const order: string[] = [];
  for (let served = 0; served < 1_010; served++) {
    const stream = await rig.agent.next();
    order.push(stream.open.salt === salt ? 'crowd' : 'few');
    serve(stream);
  }
  await Promise.all(answers);
  // At first the crowd has all the slots. Then the two take turns until the ten are served.
  const last = order.lastIndexOf('few') + 1 - SLOTS;
  expect(order.filter((who) => who === 'few')).toHaveLength(10);
  expect(last).toBeLessThanOrEqual(2 * 10);
});

test('lines that wait for the same worker take turns, however long the older one is', async () => {
  await using rig = await startSmall();
  const customer = await rig.customer(RICH);
  let { stream } = await rig.begin(customer);
  const ask = (model: string) => rig.post(customer, { model }).then(readStream);
  const answers = Array.from({ length: 5 }, () => ask(MODEL));
  await rig.until(() => waiting(rig) === 5);
  answers.push(...Array.from({ length: 2 }, () => ask(SEEING)));
  await rig.until(() => rig.waitingFor(SEEING) === 2);

  const order: string[] = [];
  for (let served = 0; served < 7; served++) {
    serve(stream);
    stream = await rig.agent.next();
    order.push(stream.open.model);
  }
  serve(stream);
  await Promise.all(answers);
  expect(order.lastIndexOf(SEEING)).toBeLessThan(4);
});

test('the time in which nobody waited does not make a line slow', async () => {
  await using rig = await startSmall(1, { requestsMax: 1, waitMsMax: 600_000 });
  const customer = await rig.customer(RICH);
  const first = await rig.begin(customer);
  let { stream } = first;
  for (let turn = 0; turn < 3; turn++) {
    const { seen } = await line(rig, customer);
    serve(stream);
    stream = await rig.agent.next();
    serve(stream);
    expect((await seen).done).toBe(true);
    await rig.pass(100_000);
    ({ stream } = await rig.begin(customer));
  }
  await line(rig, customer);
  const response = await rig.post(customer);
  expect(response.headers.get('retry-after')).toBe('1');
  serve(stream);
  serve(await rig.agent.next());
});
