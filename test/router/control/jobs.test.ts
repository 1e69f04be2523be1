/**
 * Jobs in the store, run by routers: each job by one router at a time, and again after a failure.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failJob, finishJob } from '../../../router/jobs/queue.ts';
import { type JobHandler, JobRunner } from '../../../router/jobs/runner.ts';
import { Scheduler } from '../../../router/jobs/scheduler.ts';
import type { OpenLedger } from '../../../router/ledger/ledger.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { Rig } from '../ledger/rig.ts';
import { log } from './rig.ts';

let rig: Rig;
let subject: OrganizationId;
beforeEach(async () => {
  rig = await Rig.start();
  subject = await rig.organization(1n);
});
afterEach(() => rig[Symbol.asyncDispose]());

function runner(
  handlers: Readonly<Record<string, JobHandler>>,
  ledger: OpenLedger = rig.ledger,
): JobRunner {
  const { store, clock } = rig;
  return new JobRunner(
    { store, clock, log, lane: 'others', incarnation: () => ledger.incarnation },
    handlers,
  );
}

async function enqueue(idempotencyKey: string, kind = 'letter'): Promise<void> {
  const created = rig.clock.now();
  const payload = { to: idempotencyKey };
  await rig.store.call(enqueueJob, { kind, subject, idempotencyKey, payload, created });
}

async function stateOf(idempotencyKey: string): Promise<unknown> {
  const [row] = await rig.place.sql(
    `select state, last_error from jobs where idempotency_key = '${idempotencyKey}'`,
  );
  return row;
}

/** Polls until all due jobs are done, including those that were added meanwhile. */
async function drain(...runners: readonly JobRunner[]): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await Promise.all(runners.map((one) => one.look()));
    await Promise.all(runners.map((one) => one.idle()));
  }
}

test('a job is done once, and its handler is told what it is about', async () => {
  const told: unknown[] = [];
  await using jobs = runner({
    letter: async ({ subject: whose, payload, attempts }) => {
      told.push({ whose, payload, attempts });
    },
  });
  await enqueue('a');
  await drain(jobs);
  expect(told).toEqual([{ whose: subject, payload: { to: 'a' }, attempts: 1 }]);
  expect(await stateOf('a')).toEqual({ state: 'done', last_error: null });
});

test('nothing is leased while no job is due', async () => {
  const { store, clock, ledger } = rig;
  const called: string[] = [];
  const noting: Pick<Store, 'call'> = {
    call(procedure, input) {
      called.push(procedure.name);
      return store.call(procedure, input);
    },
  };
  const parts = { store: noting, clock, log, incarnation: () => ledger.incarnation };
  await using jobs = new JobRunner({ ...parts, lane: 'others' }, { letter: async () => {} });
  await jobs.look();
  expect(called).not.toContain('leaseJobs');
  await enqueue('a');
  await drain(jobs);
  expect(called).toContain('leaseJobs');
});

test('a job that fails is tried again after its pause, and not before', async () => {
  let tries = 0;
  await using jobs = runner({
    letter: async () => {
      tries += 1;
      if (tries === 1) throw new Error('no mail server');
    },
  });
  await enqueue('a');
  await drain(jobs);
  expect(tries).toBe(1);
  expect(await stateOf('a')).toEqual({ state: 'waiting', last_error: 'Error | no mail server' });
  rig.clock.advance(10_000);
  await drain(jobs);
  expect(tries).toBe(2);
  expect(await stateOf('a')).toEqual({ state: 'done', last_error: null });
});

test('a job that no handler knows does not keep others from being done', async () => {
  let done = 0;
  await using jobs = runner({
    letter: async () => {
      done += 1;
    },
  });
  await enqueue('strange', 'nothing-we-know');
  await enqueue('a');
  await drain(jobs);
  expect(done).toBe(1);
  expect(await stateOf('strange')).toMatchObject({ state: 'waiting' });
});

test('so many jobs run at once and no more', async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  await using jobs = runner({
    letter: async () => {
      running += 1;
      await gate.promise;
    },
  });
  for (let i = 0; i < 12; i++) await enqueue(`job ${i}`);
  await jobs.look();
  await jobs.look();
  expect(running).toBe(8);
  gate.resolve();
  await drain(jobs);
  expect(running).toBe(12);
});

test('how a job ended is told again to a store that was away, or it would never be begun again', async () => {
  let isAway = true;
  let tries = 0;
  const call: Store['call'] = async (procedure, input) => {
    const ends = procedure.name === finishJob.name || procedure.name === failJob.name;
    if (isAway && ends) throw new StoreUnavailable('unreached');
    return await rig.store.call(procedure, input);
  };
  const { clock, ledger } = rig;
  const incarnation = () => ledger.incarnation;
  const parts = { store: { call }, clock, log, lane: 'others', incarnation } as const;
  await using jobs = new JobRunner(parts, {
    letter: async () => {},
    charge: async () => {
      tries += 1;
      if (tries === 1) throw new Error('the answer was lost');
    },
  });
  await enqueue('a');
  await enqueue('b', 'charge');
  await drain(jobs);
  expect(await stateOf('a')).toMatchObject({ state: 'running' });
  isAway = false;
  await drain(jobs);
  expect(await stateOf('a')).toEqual({ state: 'done', last_error: null });
  expect(await stateOf('b')).toMatchObject({ state: 'waiting' });
  rig.clock.advance(10_000);
  await drain(jobs);
  expect(tries).toBe(2);
  expect(await stateOf('b')).toMatchObject({ state: 'done' });
});

test('two routers share the work: each job is done by one of them', async () => {
  const done: string[] = [];
  const handlers: Record<string, JobHandler> = {
    letter: async ({ idempotencyKey }) => {
      done.push(idempotencyKey);
    },
  };
  const other = await rig.openLedger();
  await using one = runner(handlers);
  await using two = runner(handlers, other);
  const names = Array.from({ length: 30 }, (_, i) => `job ${i}`);
  for (const name of names) await enqueue(name);
  await drain(one, two);
  expect(done.toSorted()).toEqual(names.toSorted());
  await other[Symbol.asyncDispose]();
});

test('who stops finishes what it has begun, and begins nothing more', async () => {
  const gate = Promise.withResolvers<void>();
  let ended = 0;
  const jobs = runner({
    letter: async () => {
      await gate.promise;
      ended += 1;
    },
  });
  await enqueue('a');
  await jobs.look();
  const closed = jobs[Symbol.asyncDispose]();
  await enqueue('b');
  gate.resolve();
  await closed;
  await jobs.look();
  expect(ended).toBe(1);
  expect(await stateOf('a')).toMatchObject({ state: 'done' });
  expect(await stateOf('b')).toMatchObject({ state: 'waiting' });
});

test('a task runs at its interval, never twice at once, and again after it failed', async () => {
  const clock = new ManualClock();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let made = 0;
  const run = () => gates[made++]?.promise ?? Promise.resolve();
  const scheduler = new Scheduler({ clock, log }, [{ name: 'count', everyMs: 1_000, run }]);
  clock.advance(999);
  expect(made).toBe(0);
  clock.advance(1);
  clock.advance(5_000);
  expect(made).toBe(1);
  gates[0]?.reject(new Error('the store was away'));
  await Promise.allSettled([gates[0]?.promise]);
  await new Promise(setImmediate);
  clock.advance(1_000);
  expect(made).toBe(2);
  const closed = scheduler[Symbol.asyncDispose]();
  gates[1]?.resolve();
  await closed;
  expect(clock.timers).toBe(0);
});

test('a task learns that its router is stopping, and is waited for', async () => {
  const clock = new ManualClock();
  const ended: string[] = [];
  const run = async (stopping?: AbortSignal) => {
    await new Promise((resolve) => stopping?.addEventListener('abort', resolve));
    ended.push('task');
  };
  const scheduler = new Scheduler({ clock, log }, [{ name: 'long', everyMs: 1_000, run }]);
  clock.advance(1_000);
  await scheduler[Symbol.asyncDispose]();
  expect(ended).toEqual(['task']);
});

test('while the time is wrong no job is leased and no task runs', async () => {
  let isWrong = true;
  let [done, made] = [0, 0];
  const { store, clock } = rig;
  const parts = { store, clock, log, isPaused: () => isWrong };
  const handlers = { letter: async () => void done++ };
  await using jobs = new JobRunner(
    { ...parts, lane: 'others', incarnation: () => rig.ledger.incarnation },
    handlers,
  );
  await using undo = new AsyncDisposableStack();
  undo.use(new Scheduler(parts, [{ name: 'test', everyMs: 1_000, run: async () => void made++ }]));
  await enqueue('a');
  clock.advance(2_000);
  await drain(jobs);
  expect([done, made]).toEqual([0, 0]);
  isWrong = false;
  clock.advance(1_000);
  await drain(jobs);
  expect([done, made]).toEqual([1, 1]);
});
