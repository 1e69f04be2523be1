/**
 * Background jobs (payments, emails, erasures; MONEY 26). A job is a row. The transaction that
 * causes the work writes it. A job is leased by one router at a time, and retried with a backoff
 * that doubles. A lease lasts as long as the incarnation that has it. A job that was running when
 * its router died is started again, so its calls to other systems must carry its idempotency key.
 *
 *   waiting ──▶ running ──▶ done        running ──▶ waiting, or failed after the last attempt
 *   failed ──▶ waiting, when an operator tries the job again
 *   waiting after a failure ──▶ waiting, but due at once, when an operator does not want to wait
 */
import { createHash } from 'node:crypto';
import { backoffMs } from '../../shared/backoff.ts';
import type { IncarnationId } from '../../shared/ids.ts';
import { DECLARED_DEAD } from '../ledger/operations.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import type { JobRow } from '../store/schema/ledger.ts';
import { type JobAttempt, withAttempt } from './attempt-log.ts';
import { JobFault, storedFault } from './faults.ts';
import { waitsIn } from './lanes.ts';

export const ATTEMPTS_MAX = 12n;
const PAUSE_MS = { first: 10_000, most: 60 * 60 * 1000 } as const;
const ERROR_CHARS_MAX = 500;
const ROUTER_DIED = storedFault(new JobFault('router_stopped'));
/** The most jobs of dead routers that one call releases. */
const RELEASED_AT_ONCE_MAX = 500;

export type NewJob = Readonly<{
  kind: string;
  /** The organization, person or incident that the job is for. */
  subject: string;
  /** Always the same for the same work. */
  idempotencyKey: string;
  payload: object;
  /** ms since the epoch. */
  created: number;
  /** The earliest time to run it, ms since the epoch; at once if absent. */
  runAt?: number;
}>;

export type Job = Readonly<{
  id: string;
  kind: string;
  subject: string;
  idempotencyKey: string;
  payload: unknown;
  /** Including this one. */
  attempts: number;
}>;

/** Enqueues a job in the transaction that causes it. `known`: it exists, and nothing is done. */
export async function enqueue(db: Db, job: NewJob): Promise<'enqueued' | 'known'> {
  return (await enqueueAll(db, [job])) === 1 ? 'enqueued' : 'known';
}

/** Does the same for several jobs in one statement. Returns how many of them were not known. */
export async function enqueueAll(db: Db, jobs: readonly NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const inserted = await db
    .insertInto('jobs')
    .values(jobs.map(rowOf))
    // The conflict may be on either of the two unique columns.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.length;
}

/** Whether this work is waiting or running; for use within a procedure. */
export async function isJobOpen(db: Db, idempotencyKey: string): Promise<boolean> {
  const open = await db
    .selectFrom('jobs')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return open !== undefined;
}

/** Moves a job that waits to another time, in ms since the epoch. */
export async function rescheduleJob(db: Db, idempotencyKey: string, runAt: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ run_at: milliseconds(runAt) })
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '=', 'waiting')
    .execute();
}

/** Deletes jobs in any state. The work of one that is running goes on, and its result is dropped. */
export async function deleteJobs(db: Db, idempotencyKeys: readonly string[]): Promise<void> {
  if (idempotencyKeys.length === 0) return;
  await db
    .deleteFrom('jobs')
    .where('idempotency_key', 'in', [...idempotencyKeys])
    .execute();
}

/**
 * Leases due jobs, in the given order; none for a dead incarnation. `due`: the ids of jobs of the
 * lane `webhooks`, or how many of the lane `others`, the longest due first.
 */
export const leaseJobs = writeProcedure<
  Readonly<{ incarnation: IncarnationId; now: number; due: readonly string[] | number }>,
  readonly Job[]
>('leaseJobs', async (db, { incarnation, now, due: wanted }) => {
  const alive = await db
    .selectFrom('incarnations')
    .select('id')
    .where('id', '=', incarnation)
    .where('beat', '!=', DECLARED_DEAD)
    .executeTakeFirst();
  if (!alive) return [];
  const due = typeof wanted === 'number' ? await findDue(db, now, wanted) : wanted;
  const leased = new Map<string, Job>();
  for (const id of due.toSorted()) {
    // Another router may have been faster.
    const row = await db
      .updateTable('jobs')
      .set((job) => ({
        state: 'running',
        leased_by: incarnation,
        leased_at: milliseconds(now),
        attempts: job('attempts', '+', 1n),
      }))
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
    if (row) leased.set(id, jobOf(row));
  }
  return due.flatMap((id) => leased.get(id) ?? []);
});

async function findDue(db: Db, now: number, limit: number): Promise<string[]> {
  const due = await db
    .selectFrom('jobs')
    .select('id')
    .where(waitsIn('others'))
    .where('run_at', '<=', milliseconds(now))
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return due.map(({ id }) => id);
}

/** What a job that is done says of its work. */
export type JobOutcome = Pick<JobAttempt, 'recipients' | 'unsent'>;

type Lease = Readonly<{ job: string; incarnation: IncarnationId; now: number }>;

/** `gone`: the incarnation lost the lease, and another router may have started the job again. */
export const finishJob = writeProcedure<Lease & JobOutcome, 'done' | 'gone'>(
  'finishJob',
  async (db, { recipients, unsent, ...lease }) => {
    const ended = milliseconds(lease.now);
    const to = { state: 'done', ended, last_error: null } as const;
    return (await leave(db, lease, to, { recipients, unsent })) ? 'done' : 'gone';
  },
);

/**
 * Schedules a retry; `failed`: that was the last attempt. `gone`: the incarnation lost the lease.
 * `error` is what `storedFault` returns.
 */
export const failJob = writeProcedure<
  Lease & Readonly<{ error: string }>,
  'waiting' | 'failed' | 'gone'
>('failJob', async (db, { error, ...lease }) => {
  const job = await db
    .selectFrom('jobs')
    .select('attempts')
    .where('id', '=', lease.job)
    .executeTakeFirst();
  if (!job) return 'gone';
  const next = afterFailure(job.attempts, error, lease.now);
  return (await leave(db, lease, next)) ? next.state : 'gone';
});

/**
 * Releases the jobs leased by dead incarnations; returns how many. Every router calls it regularly.
 */
export const releaseJobs = writeProcedure<Readonly<{ now: number }>, number>(
  'releaseJobs',
  async (db, { now }) => {
    const orphans = await db
      .selectFrom('jobs')
      .select(['id', 'attempts', 'leased_by', 'run_at'])
      .where('state', '=', 'running')
      .where((job) =>
        job.not(
          job.exists(
            job
              .selectFrom('incarnations')
              .select('incarnations.id')
              .whereRef('incarnations.id', '=', 'jobs.leased_by')
              .where('incarnations.beat', '!=', DECLARED_DEAD),
          ),
        ),
      )
      .orderBy('id')
      .limit(RELEASED_AT_ONCE_MAX)
      .execute();
    let released = 0;
    for (const { id, attempts, leased_by, run_at } of orphans) {
      if (leased_by === null) continue;
      const next = afterFailure(attempts, ROUTER_DIED, now);
      // As far as we know the job was not at fault: no backoff.
      const to = next.state === 'waiting' ? { ...next, run_at } : next;
      if (await leave(db, { job: id, incarnation: leased_by, now }, to)) released++;
    }
    return released;
  },
);

/**
 * Gives a job that was given up its attempts again, the first of them at once. One that waits for
 * another attempt has this at once, and keeps the count of its attempts. `open`: it has not failed,
 * or is due. `unknown`: there is no such job.
 */
export const retryJob = writeProcedure<
  Readonly<{ job: string; now: number }>,
  'done' | 'open' | 'unknown'
>('retryJob', async (db, { job, now }) => {
  if ((await retryJobs(db, { jobs: [job], now })).length > 0) return 'done';
  const hastened = await db
    .updateTable('jobs')
    .set({ run_at: milliseconds(now) })
    .where('id', '=', job)
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0n)
    .where('run_at', '>', milliseconds(now))
    .returning('id')
    .execute();
  if (hastened.length > 0) return 'done';
  const found = await db.selectFrom('jobs').select('id').where('id', '=', job).executeTakeFirst();
  return found ? 'open' : 'unknown';
});

/** Gives several jobs that were given up their attempts again; returns the ids of those that now wait. */
export async function retryJobs(
  db: Db,
  { jobs, now }: Readonly<{ jobs: readonly string[]; now: number }>,
): Promise<readonly string[]> {
  if (jobs.length === 0) return [];
  const retried = await db
    .updateTable('jobs')
    .set({ state: 'waiting', attempts: 0n, run_at: milliseconds(now), ended: null })
    .where('id', 'in', jobs)
    .where('state', '=', 'failed')
    .returning('id')
    .execute();
  return retried.map(({ id }) => id);
}

type Left = Partial<Pick<JobRow, 'run_at' | 'ended'>> &
  Pick<JobRow, 'last_error'> &
  Readonly<{ state: 'waiting' | 'done' | 'failed' }>;

/** Ends a lease and records the attempt; false if the incarnation no longer has the lease. */
async function leave(
  db: Db,
  { job, incarnation, now }: Lease,
  to: Left,
  outcome: JobOutcome = {},
): Promise<boolean> {
  const run = await db
    .selectFrom('jobs')
    .select(['leased_at', 'attempt_log'])
    .where('id', '=', job)
    .executeTakeFirst();
  if (!run) return false;
  const attempt: JobAttempt = {
    started: run.leased_at === null ? null : Number(run.leased_at),
    ended: Math.round(now),
    router: incarnation,
    fault: to.last_error,
    ...outcome,
  };
  const left = await db
    .updateTable('jobs')
    .set({
      ...to,
      leased_by: null,
      leased_at: null,
      attempt_log: withAttempt(run.attempt_log, attempt),
    })
    .where('id', '=', job)
    .where('state', '=', 'running')
    .where('leased_by', '=', incarnation)
    .returning('id')
    .executeTakeFirst();
  return left !== undefined;
}

function afterFailure(
  attempts: bigint,
  error: string,
  now: number,
): Left & Readonly<{ state: 'waiting' | 'failed' }> {
  const last_error = error.slice(0, ERROR_CHARS_MAX);
  const at = milliseconds(now);
  if (attempts >= ATTEMPTS_MAX) return { state: 'failed', ended: at, last_error };
  const pauseMs = backoffMs(Number(attempts), PAUSE_MS);
  return { state: 'waiting', run_at: at + BigInt(pauseMs), last_error };
}

function rowOf(job: NewJob): JobRow {
  const { kind, subject, idempotencyKey, payload, created, runAt = created } = job;
  return {
    id: jobId(idempotencyKey),
    kind,
    subject,
    idempotency_key: idempotencyKey,
    payload: JSON.stringify(payload),
    state: 'waiting',
    attempts: 0n,
    run_at: milliseconds(runAt),
    leased_by: null,
    leased_at: null,
    last_error: null,
    attempt_log: null,
    created: milliseconds(created),
    ended: null,
  };
}

function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    idempotencyKey: row.idempotency_key,
    payload: JSON.parse(row.payload) as unknown,
    attempts: Number(row.attempts),
  };
}

const ID_CHARS = 26;

function jobId(idempotencyKey: string): string {
  const digest = createHash('sha256').update(idempotencyKey).digest('hex');
  return `job_${digest.slice(0, ID_CHARS)}`;
}
