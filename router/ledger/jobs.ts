/**
 * Background money work (MONEY 26): a row written in the transaction that causes it, leased by one router at a
 * time, tried again after a pause that doubles. A lease lasts as long as the incarnation that has it: what was
 * under way when a router died is begun again, so what a job does outside has to carry its idempotency key.
 *
 *   waiting ──▶ running ──▶ done        running ──▶ waiting, or failed after the last attempt
 */
import { createHash } from 'node:crypto';
import type { IncarnationId } from '../../shared/ids.ts';
import type { Db, Procedure } from '../store/procedure.ts';
import type { JobRow } from '../store/schema/ledger.ts';
import { DEAD_BEAT } from './operations.ts';

const ATTEMPTS_MAX = 12n;
const PAUSE_MS = 10_000;
const PAUSE_MS_MAX = 60 * 60 * 1000;
const ERROR_CHARS_MAX = 500;
/** As many as one look for dead routers' jobs releases. */
const RELEASED_AT_ONCE_MAX = 500;

export type NewJob = Readonly<{
  kind: string;
  /** Whose it is: an organization or a person. */
  subject: string;
  /** The same work always has the same. */
  idempotencyKey: string;
  payload: object;
  /** ms since the epoch. */
  created: number;
  /** Not before this; at once if not given. */
  runAt?: number;
}>;

export type Job = Readonly<{
  id: string;
  kind: string;
  subject: string;
  idempotencyKey: string;
  payload: unknown;
  /** This one included. */
  attempts: number;
}>;

/** For procedures whose own change causes the work. `known`: it was caused before, and nothing is done. */
export async function enqueue(db: Db, job: NewJob): Promise<'enqueued' | 'known'> {
  const { kind, subject, idempotencyKey, payload, created, runAt = created } = job;
  const inserted = await db
    .insertInto('jobs')
    .values({
      id: jobId(idempotencyKey),
      kind,
      subject,
      idempotency_key: idempotencyKey,
      payload: JSON.stringify(payload),
      state: 'waiting',
      attempts: 0n,
      run_at: BigInt(Math.round(runAt)),
      leased_by: null,
      last_error: null,
      created: BigInt(Math.round(created)),
      ended: null,
    })
    // Whichever of its two unique columns another is seen in first.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted ? 'enqueued' : 'known';
}

export const enqueueJob: Procedure<NewJob, 'enqueued' | 'known'> = {
  name: 'enqueueJob',
  access: 'write',
  run: enqueue,
};

/** For procedures: whether this work is still to be done, or under way. */
export async function isJobOpen(db: Db, idempotencyKey: string): Promise<boolean> {
  const open = await db
    .selectFrom('jobs')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return open !== undefined;
}

/** Takes up to `limit` jobs that are due, the longest due first; none for an incarnation that is dead. */
export const leaseJobs: Procedure<
  Readonly<{ incarnation: IncarnationId; now: number; limit: number }>,
  readonly Job[]
> = {
  name: 'leaseJobs',
  access: 'write',
  async run(db, { incarnation, now, limit }) {
    const alive = await db
      .selectFrom('incarnations')
      .select('id')
      .where('id', '=', incarnation)
      .where('beat', '!=', DEAD_BEAT)
      .executeTakeFirst();
    if (!alive) return [];
    const due = await db
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'waiting')
      .where('run_at', '<=', BigInt(Math.round(now)))
      .orderBy('run_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    const leased = new Map<string, Job>();
    for (const id of due.map((job) => job.id).toSorted()) {
      // Another router may have been quicker.
      const row = await db
        .updateTable('jobs')
        .set((job) => ({
          state: 'running',
          leased_by: incarnation,
          attempts: job('attempts', '+', 1n),
        }))
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returningAll()
        .executeTakeFirst();
      if (row) leased.set(id, jobOf(row));
    }
    return due.flatMap(({ id }) => leased.get(id) ?? []);
  },
};

type Lease = Readonly<{ job: string; incarnation: IncarnationId; now: number }>;

/** `gone`: the job is not the incarnation's any more, so that another router has begun it again. */
export const finishJob: Procedure<Lease, 'done' | 'gone'> = {
  name: 'finishJob',
  access: 'write',
  async run(db, lease) {
    const ended = BigInt(Math.round(lease.now));
    return (await leave(db, lease, { state: 'done', ended, last_error: null })) ? 'done' : 'gone';
  },
};

/** Tries it again later; `failed`: that was the last attempt. `error` is ours, and quotes no secret. */
export const failJob: Procedure<
  Lease & Readonly<{ error: string }>,
  'waiting' | 'failed' | 'gone'
> = {
  name: 'failJob',
  access: 'write',
  async run(db, { error, ...lease }) {
    const job = await db
      .selectFrom('jobs')
      .select('attempts')
      .where('id', '=', lease.job)
      .executeTakeFirst();
    if (!job) return 'gone';
    const next = afterFailure(job.attempts, error, lease.now);
    return (await leave(db, lease, next)) ? next.state : 'gone';
  },
};

/** Puts back what dead incarnations had leased; answers how many jobs. Asked by any router, now and then. */
export const releaseJobs: Procedure<Readonly<{ now: number }>, number> = {
  name: 'releaseJobs',
  access: 'write',
  async run(db, { now }) {
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
              .where('incarnations.beat', '!=', DEAD_BEAT),
          ),
        ),
      )
      .orderBy('id')
      .limit(RELEASED_AT_ONCE_MAX)
      .execute();
    let released = 0;
    for (const { id, attempts, leased_by, run_at } of orphans) {
      if (leased_by === null) continue;
      const next = afterFailure(attempts, 'its router died', now);
      // It was not the job's fault, as far as we know: no pause.
      const to = next.state === 'waiting' ? { ...next, run_at } : next;
      if (await leave(db, { job: id, incarnation: leased_by, now }, to)) released++;
    }
    return released;
  },
};

type Left = Partial<Pick<JobRow, 'run_at' | 'ended'>> &
  Pick<JobRow, 'last_error'> &
  Readonly<{ state: 'waiting' | 'done' | 'failed' }>;

/** Ends a lease, if the incarnation has it still. */
async function leave(db: Db, { job, incarnation }: Lease, to: Left): Promise<boolean> {
  const left = await db
    .updateTable('jobs')
    .set({ ...to, leased_by: null })
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
  const at = BigInt(Math.round(now));
  if (attempts >= ATTEMPTS_MAX) return { state: 'failed', ended: at, last_error };
  const pauseMs = Math.min(PAUSE_MS * 2 ** (Number(attempts) - 1), PAUSE_MS_MAX);
  return { state: 'waiting', run_at: at + BigInt(pauseMs), last_error };
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
