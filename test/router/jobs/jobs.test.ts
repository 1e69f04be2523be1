import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDueAttempts } from '../../../router/control/webhooks/due.ts';
import { WEBHOOK } from '../../../router/jobs/lanes.ts';
import { jobAttempts } from '../../../router/control/jobs/attempts.ts';
import {
  failJob,
  finishJob,
  leaseJobs,
  releaseJobs,
  retryJob,
} from '../../../router/jobs/queue.ts';
import type { OpenLedger } from '../../../router/ledger/ledger.ts';
import type { IncarnationId, OrganizationId } from '../../../shared/ids.ts';
import { Rig } from '../ledger/rig.ts';
import { enqueueJob } from './enqueue-job.ts';

let rig: Rig;
let subject: OrganizationId;
beforeAll(async () => {
  rig = await Rig.start();
  subject = await rig.organization(1n);
});
afterAll(() => rig[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now = () => rig.clock.now();

function enqueue(idempotencyKey: string, more: { runAt?: number } = {}) {
  const payload = { to: idempotencyKey };
  const job = { kind: 'mail', subject, idempotencyKey, payload, created: now(), ...more };
  return rig.store.call(enqueueJob, job);
}

async function lease(limit = 100, incarnation: IncarnationId = rig.ledger.incarnation) {
  return await rig.store.call(leaseJobs, { incarnation, now: now(), due: limit });
}

const keysOf = (jobs: Awaited<ReturnType<typeof lease>>) =>
  jobs.map(({ idempotencyKey }) => idempotencyKey);
const finish = (job: string, incarnation: IncarnationId = rig.ledger.incarnation) =>
  rig.store.call(finishJob, { job, incarnation, now: now() });
const fail = (job: string, error = 'no answer') =>
  rig.store.call(failJob, { job, incarnation: rig.ledger.incarnation, now: now(), error });
const release = () => rig.store.call(releaseJobs, { now: now() });

async function leaseOne() {
  const [job] = await lease(1);
  if (!job) throw new Error('no job is due');
  return job;
}

/** A router that leases due jobs and dies. */
async function leaseAndDie(limit = 100) {
  const router: OpenLedger = await rig.openLedger();
  const { incarnation } = router;
  const jobs = await lease(limit, incarnation);
  await router[Symbol.asyncDispose]();
  return { incarnation, jobs };
}

test('MONEY 26: a job is asked for once under its idempotency key, also when it is done', async () => {
  const asked = await Promise.all(Array.from({ length: 10 }, () => enqueue('once')));
  expect(asked.filter((answer) => answer === 'enqueued')).toHaveLength(1);
  const job = await leaseOne();
  expect(job).toEqual({
    id: expect.stringMatching(/^job_[0-9a-f]{26}$/),
    kind: 'mail',
    subject,
    idempotencyKey: 'once',
    payload: { to: 'once' },
    attempts: 1,
  });
  expect(await finish(job.id)).toBe('done');
  expect(await finish(job.id)).toBe('gone');
  expect(await enqueue('once')).toBe('known');
  expect(await lease()).toEqual([]);
});

test('MONEY 26: of several routers that ask at once, one gets a job', async () => {
  await using other = await rig.openLedger();
  for (let n = 0; n < 30; n++) await enqueue(`race ${n}`);
  const leased = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      lease(7, n % 2 === 0 ? rig.ledger.incarnation : other.incarnation),
    ),
  );
  const jobs = [...leased.flat(), ...(await lease())];
  expect(keysOf(jobs).toSorted()).toEqual(
    Array.from({ length: 30 }, (_, n) => `race ${n}`).toSorted(),
  );
  for (const { id } of jobs) {
    const ends = [await finish(id), await finish(id, other.incarnation)];
    expect(ends.toSorted()).toEqual(['done', 'gone']);
  }
});

test('jobs are leased when they are due, the longest due first', async () => {
  await enqueue('later', { runAt: now() + 2_000 });
  await enqueue('sooner', { runAt: now() + 1_000 });
  expect(await lease()).toEqual([]);
  rig.clock.advance(1_000);
  const first = await lease();
  expect(keysOf(first)).toEqual(['sooner']);
  rig.clock.advance(1_000);
  await enqueue('last');
  await enqueue('first', { runAt: now() - 1 });
  const second = await lease();
  expect(keysOf(second)).toEqual(['first', ...['last', 'later'].toSorted(byId(second))]);
  for (const { id } of [...first, ...second]) expect(await finish(id)).toBe('done');
});

test('MONEY 26: a job that failed is tried again after pauses that double up to an hour, and given up in the end', async () => {
  await enqueue('failing');
  const pauses: number[] = [];
  let failed = await fail((await leaseOne()).id, 'x'.repeat(10_000));
  while (failed === 'waiting') {
    expect(await lease()).toEqual([]);
    let pause = 0;
    let [job] = await lease(1);
    while (!job) {
      rig.clock.advance(10_000);
      pause += 10_000;
      [job] = await lease(1);
    }
    pauses.push(pause);
    failed = await fail(job.id);
  }
  expect(failed).toBe('failed');
  expect(pauses.slice(0, 4)).toEqual([10_000, 20_000, 40_000, 80_000]);
  expect(pauses).toHaveLength(11);
  expect(pauses.at(-1)).toBe(HOUR_MS);
  rig.clock.advance(100 * HOUR_MS);
  expect(await lease()).toEqual([]);
});

test('MONEY 26: a lease lasts as long as its router lives, and not by any clock', async () => {
  await enqueue('held');
  const { id } = await leaseOne();
  rig.clock.advance(100 * HOUR_MS);
  await rig.ledger.heartbeat();
  expect(await release()).toBe(0);
  expect(await lease()).toEqual([]);
  expect(await finish(id)).toBe('done');
});

test("MONEY 26: a dead router's jobs are begun again by another, and its own late end counts for nothing", async () => {
  await enqueue('orphan');
  const { incarnation, jobs } = await leaseAndDie();
  expect(keysOf(jobs)).toEqual(['orphan']);
  expect(await lease()).toEqual([]);
  expect(await release()).toBe(1);
  expect(await release()).toBe(0);
  const job = await leaseOne();
  expect(job).toMatchObject({ idempotencyKey: 'orphan', attempts: 2 });
  expect(await finish(job.id, incarnation)).toBe('gone');
  expect(await finish(job.id)).toBe('done');
});

test('a router that is dead, or was never there, leases nothing', async () => {
  await enqueue('living only');
  const { incarnation, jobs } = await leaseAndDie(0);
  expect(jobs).toEqual([]);
  expect(await lease(100, incarnation)).toEqual([]);
  expect(await lease(100, 'rtr_nobody' as IncarnationId)).toEqual([]);
  expect(await finish((await leaseOne()).id)).toBe('done');
});

test('a job that kills every router which begins it is given up', async () => {
  await enqueue('deadly');
  let deaths = 0;
  for (;;) {
    const { jobs } = await leaseAndDie();
    if (jobs.length === 0) break;
    deaths++;
    expect(await release()).toBe(1);
  }
  expect(deaths).toBe(12);
});

function byId(jobs: Awaited<ReturnType<typeof lease>>) {
  const ids = new Map(jobs.map(({ idempotencyKey, id }) => [idempotencyKey, id]));
  return (a: string, b: string) => ((ids.get(a) ?? '') < (ids.get(b) ?? '') ? -1 : 1);
}

/** An endpoint of a customer, whose last attempt ended at `turn`. */
async function endpoint(id: string, turn: number): Promise<void> {
  await rig.place.sql(
    `INSERT INTO webhook_endpoints (id, organization, url, events, secret, active, created, turn)
     VALUES ('${id}', '${subject}', 'https://example.com/', 'key.revoked', '', 1, 0, ${turn})`,
  );
}

test('of webhooks, one job at a time is due for each endpoint, the one that waited longest first', async () => {
  await endpoint('whk_busy', 2);
  await endpoint('whk_other', 1);
  const put = (endpointId: string, key: string) =>
    rig.store.call(enqueueJob, {
      kind: WEBHOOK,
      subject: endpointId,
      idempotencyKey: key,
      payload: {},
      created: now(),
    });
  const take = async (limit = 100) => {
    const due = await rig.store.call(findDueAttempts, { now: now(), limit });
    const { incarnation } = rig.ledger;
    return await rig.store.call(leaseJobs, { incarnation, now: now(), due });
  };
  for (let n = 0; n < 5; n++) {
    await put('whk_busy', `busy ${n}`);
    rig.clock.advance(1);
  }
  await put('whk_other', 'other');
  await enqueue('a mail');
  // The other lane does not see them.
  expect(keysOf(await lease())).toEqual(['a mail']);
  expect(keysOf(await take(1))).toEqual(['other']);
  const [first, ...rest] = await take();
  expect([first?.idempotencyKey, rest]).toEqual(['busy 0', []]);
  expect(await take()).toEqual([]);
  await finish(first?.id ?? '');
  expect(keysOf(await take())).toEqual(['busy 1']);
});

async function attemptsOf(job: string) {
  const [row] = await rig.place.sql(`select attempt_log from jobs where id = '${job}'`);
  return jobAttempts((row as { attempt_log: string | null }).attempt_log);
}

test('the attempts of a job are kept with their times, routers and faults', async () => {
  await enqueue('told');
  const { incarnation } = rig.ledger;
  const started = now();
  const { id } = await leaseOne();
  expect(await attemptsOf(id)).toEqual([]);
  rig.clock.advance(250);
  await fail(id, 'mail_refused EMESSAGE 450');
  rig.clock.advance(MINUTE_MS);
  const { incarnation: dead } = await leaseAndDie();
  rig.clock.advance(1_000);
  await release();
  await leaseOne();
  await finish(id);
  expect(await attemptsOf(id)).toEqual([
    { started, ended: started + 250, router: incarnation, fault: 'mail_refused EMESSAGE 450' },
    {
      started: started + 250 + MINUTE_MS,
      ended: now(),
      router: dead,
      fault: 'router_stopped',
    },
    { started: now(), ended: now(), router: incarnation, fault: null },
  ]);
});

test('of many attempts the last twelve are kept, also when an operator has tried the job again', async () => {
  await enqueue('often');
  const { id } = await leaseOne();
  await fail(id, 'Error 0');
  for (let n = 1; n < 12; n++) {
    rig.clock.advance(HOUR_MS);
    await leaseOne();
    await fail(id, `Error ${n}`);
  }
  await rig.store.call(retryJob, { job: id, now: now() });
  await leaseOne();
  await finish(id);
  const attempts = await attemptsOf(id);
  expect(attempts).toHaveLength(12);
  expect(attempts[0]).toMatchObject({ fault: 'Error 1' });
  expect(attempts.at(-1)).toMatchObject({ fault: null });
});
