/** How the emails about incidents are queued, so that no other email waits for them. */
import { expect, test } from 'vitest';
import {
  BATCH_MAX,
  BATCH_PAUSE_MS,
  copyIncidentLetter,
  RETRIED_MAX,
  RETRIED_PAUSE_MS,
} from '../../../router/control/mail/incident-letters.ts';
import { JobRunner } from '../../../router/jobs/runner.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { countCopyStatements } from './count-statements.ts';
import { signIn } from './people.ts';
import { log } from './rig.ts';
import {
  chooser,
  clock,
  FIRST_RETRY_MS,
  post,
  recipients,
  report,
  rig,
  shareIncidentEmails,
} from './shared-incident-emails.ts';

shareIncidentEmails();

const POSTPONED = { recipients: 0, unsent: 'postponed' };

/** Adds people who have chosen the emails. */
async function addChoosers(count: number, name: string): Promise<void> {
  const values = Array.from({ length: count }, (_none, at) => {
    const id = `per_${name}${String(at).padStart(6, '0')}`;
    return `('${id}', '${id}@example.com', '', '', 0, 1, 1, 'all')`;
  });
  await rig.place.sql(
    `insert into people (id, email, name, password_hash, operator, created, email_confirmed,
       incident_emails) values ${values.join(', ')}`,
  );
}

/** Queues emails that are due and go to nobody. */
async function enqueueDue(count: number, name: string): Promise<void> {
  for (let at = 0; at < count; at++) {
    await rig.store.call(enqueueJob, {
      kind: 'letter',
      subject: 'nobody',
      idempotencyKey: `letter/reset-password/${name}-${at}`,
      payload: { kind: 'reset-password', person: null },
      created: clock.now(),
    });
  }
}

test('emails to many people are queued in batches, so that one to somebody who signs up waits for one batch at most', async () => {
  const count = 2 * BATCH_MAX + 30;
  await addChoosers(count, 'many');
  await report();
  await post.work();
  expect(post.received).toHaveLength(BATCH_MAX);
  const { person, email } = await signIn(rig);
  await rig.store.call(enqueueJob, {
    kind: 'letter',
    subject: person,
    idempotencyKey: 'letter/reset-password/between',
    payload: { kind: 'reset-password', person },
    created: clock.now(),
  });
  await post.work();
  expect(post.received.at(-1)?.to).toEqual([email]);
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(post.received).toHaveLength(2 * BATCH_MAX + 1);
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(new Set(recipients()).size).toBe(count + 1);
  expect(recipients()).toHaveLength(count + 1);
});

test('while other jobs are due, fewer are queued, and a batch that a crash repeats queues nobody twice', async () => {
  await addChoosers(BATCH_MAX, 'busy');
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  // The job of the incident itself is due, too.
  const others = 39;
  await enqueueDue(others, 'busy');
  const now = clock.now();
  expect(await rig.store.call(copyIncidentLetter, { letter, now })).toEqual({
    recipients: BATCH_MAX - others - 1,
  });
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toHaveLength(BATCH_MAX);
  expect(new Set(recipients()).size).toBe(BATCH_MAX);
});

test('while as many other jobs are due as are in a batch, none are queued, and the next batch comes as soon', async () => {
  await addChoosers(1, 'late');
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  await enqueueDue(BATCH_MAX, 'full');
  const now = clock.now();
  expect(await rig.store.call(copyIncidentLetter, { letter, now })).toEqual(POSTPONED);
  const key = `incident-letter/${incident}/1/batch-1`;
  const next = await rig.place.sql(`select run_at from jobs where idempotency_key = '${key}'`);
  expect(next).toEqual([{ run_at: BigInt(now + BATCH_PAUSE_MS) }]);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toHaveLength(1);
});

test('a router of the version before leaves the emails to one that has them', async () => {
  const [one, other] = [await chooser(), await chooser()];
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  // Those of the people are queued as well, so that it meets both.
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toEqual({
    recipients: 2,
  });
  const [alive] = await rig.place.sql('select id from incarnations where beat > 0');
  const { id: incarnation } = alive as { id: IncarnationId };
  const ended: string[] = [];
  const before = new JobRunner(
    {
      store: rig.store,
      clock,
      log,
      lane: 'others',
      incarnation: () => incarnation,
      onJob: (_kind, result) => void ended.push(result),
    },
    { letter: () => Promise.resolve({ recipients: 0 }) },
  );
  await before.look();
  await before[Symbol.asyncDispose]();
  expect(ended).toEqual(['retried', 'retried', 'retried']);
  clock.advance(FIRST_RETRY_MS);
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
});

test('while too many emails wait for a retry because the mail server refuses them, no more are queued', async () => {
  const { email } = await chooser();
  await rig.place.sql("update jobs set state = 'done' where state = 'waiting'");
  const later = clock.now() + RETRIED_PAUSE_MS + 1;
  const refused = Array.from({ length: RETRIED_MAX }, (_none, at) => {
    const id = `job_refused_${at}`;
    return `('${id}', 'incident-letter', 'per_${at}', '${id}', '{}', 'waiting', 1, ${later}, 1)`;
  });
  await rig.place.sql(
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at, created)
     values ${refused.join(', ')}`,
  );
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toEqual(POSTPONED);
  await post.work();
  await rig.place.sql("update jobs set state = 'done' where id = 'job_refused_0'");
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(post.received).toEqual([]);
  clock.advance(RETRIED_PAUSE_MS - BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toEqual([email]);
  await rig.place.sql("delete from jobs where id like 'job_refused_%'");
});

test('a batch is queued by as many statements as one email is', async () => {
  await addChoosers(1, 'one');
  const incident = await report();
  await post.work();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  const now = clock.now();
  const forOne = await rig.store.call(countCopyStatements, { letter, now });
  expect(forOne).toBeGreaterThan(0);
  await addChoosers(BATCH_MAX, 'full');
  expect(await rig.store.call(countCopyStatements, { letter, now })).toBe(forOne);
  const queued = await rig.place.sql("delete from jobs where state = 'waiting' returning id");
  // The copies, and the job that queues the next batch.
  expect(queued).toHaveLength(BATCH_MAX + 1);
});
