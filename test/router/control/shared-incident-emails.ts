/**
 * A control plane with its jobs and a mail server, and people who have chosen the emails about
 * incidents, which all tests of a file share.
 */
import { beforeAll, beforeEach, expect } from 'vitest';
import type { IncidentId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { signIn } from './people.ts';
import { openPost, type Post } from './post.ts';
import { type Rig, startRig } from './rig.ts';

export const clock = new ManualClock(Date.now());
export let rig: Rig;
export let post: Post;

/** A job that failed once is tried again after this time. */
export const FIRST_RETRY_MS = 10_000;

/** A test file calls this first. At the start of each test, nobody has chosen the emails. */
export function shareIncidentEmails(): void {
  beforeAll(async () => {
    await using undo = new AsyncDisposableStack();
    rig = undo.use(await startRig(clock));
    post = undo.use(await openPost(rig, { clock }));
    const owned = undo.move();
    return () => owned.disposeAsync();
  });
  beforeEach(async () => {
    await rig.place.sql('update people set incident_emails = null');
    post.received.length = 0;
  });
}

let reported = 0;

/** Reports an incident. No two that are open may have the same title. */
export async function report(fields: object = {}): Promise<IncidentId> {
  const title = `Slow answers ${++reported}`;
  const body = { title, message: 'We are looking for the cause.', ...fields };
  const answer = await rig.ask('POST', '/api/v1/incidents', body);
  expect(answer.status).toBe(201);
  return answer.body.id as IncidentId;
}

/** A person who has chosen the emails. */
export async function chooser() {
  const signed = await signIn(rig);
  const answer = await signed.ask('PATCH', '/api/v1/me', { incident_emails: 'all' });
  expect(answer).toMatchObject({ status: 200, body: { incident_emails: 'all' } });
  return signed;
}

export const recipients = () => post.received.flatMap(({ to }) => to);
