/** Events reach the servers of customers: signed, again after a failure, and given up in the end. */
import { expect, test } from 'vitest';
import { FAILING_MS_MAX, PAUSES_MS } from '../../../router/control/webhooks/attempts.ts';
import { ENDPOINTS_MAX } from '../../../router/control/webhooks/procedures.ts';
import { ANSWER_BYTES_MAX } from '../../../shared/webhook-events.ts';
import { DELIVERIES_KEPT_MAX } from '../../../router/control/webhooks/queue.ts';
import { signIn } from './people.ts';
import {
  attempts,
  deliveriesOf,
  endpoint,
  pay,
  receiver,
  revokeKey,
  shareWebhooks,
} from './shared-webhooks-rig.ts';
import { Receiver, verify } from '../../support/webhook-receiver.ts';

shareWebhooks();

const HOUR_MS = 3_600_000;

async function eventually(holds: () => boolean): Promise<void> {
  await expect.poll(holds).toBe(true);
}

test('an event comes as a signed request that another implementation of Standard Webhooks accepts', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization, { url: receiver.url('/hooks?team=1') });
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const key = await revokeKey(organization, 'nightly "job"');
  await pay.work();
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  if (!request) return;
  expect(request).toMatchObject({ method: 'POST', path: '/hooks?team=1' });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Penstock\/\d/),
    'webhook-id': expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    'webhook-timestamp': String(Math.floor(pay.clock.now() / 1000)),
  });
  const event = {
    id: request.headers['webhook-id'],
    type: 'key.revoked',
    timestamp: new Date(pay.clock.now()).toISOString(),
    data: { organization, key, name: 'nightly "job"', state: 'revoked' },
  };
  expect(verify(made.secret, request)).toEqual(event);
  const other = await endpoint(organization);
  expect(() => verify(other.secret, request)).toThrow(/No matching signature/);
  const changed = { ...request, text: request.text.replace('revoked', 'resumed') };
  expect(() => verify(made.secret, changed)).toThrow(/No matching signature/);
  expect(await deliveriesOf(made)).toEqual([
    {
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      event: event.id,
      type: 'key.revoked',
      state: 'delivered',
      attempts: 1,
      last_attempt: event.timestamp,
      last_status: 204,
      last_fault: null,
      next_attempt: null,
      created: event.timestamp,
      body: JSON.stringify(event),
    },
  ]);
});

test('each endpoint gets the events that it has chosen, with one id at all of them', async () => {
  const organization = await pay.customer();
  const keys = await endpoint(organization, { events: ['key.revoked'] });
  const all = await endpoint(organization);
  const money = await endpoint(organization, { events: ['balance.low', 'payment.succeeded'] });
  await endpoint(await pay.customer());
  await revokeKey(organization);
  await pay.work();
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['key.revoked', 'key.revoked']);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  expect(await deliveriesOf(money)).toEqual([]);
  expect([...(await deliveriesOf(keys)), ...(await deliveriesOf(all))]).toHaveLength(2);
});

test('a delivery that fails is tried again after growing pauses for about a day, with one id, and then given up', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.refuseWith(503);
  await revokeKey(organization);
  await pay.work();
  expect(receiver.received).toHaveLength(1);
  for (const [index, pause] of PAUSES_MS.entries()) {
    const [waiting] = await deliveriesOf(made);
    expect(waiting).toMatchObject({
      state: 'waiting',
      attempts: index + 1,
      last_status: 503,
      last_fault: 'status',
      next_attempt: new Date(pay.clock.now() + pause).toISOString(),
    });
    pay.clock.advance(pause - 1);
    await pay.work();
    expect(receiver.received).toHaveLength(index + 1);
    pay.clock.advance(1);
    await pay.work();
    expect(receiver.received).toHaveLength(index + 2);
  }
  const day = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / HOUR_MS;
  expect(day).toBeGreaterThan(22);
  expect(day).toBeLessThan(26);
  pay.clock.advance(48 * HOUR_MS);
  await pay.work();
  expect(receiver.received).toHaveLength(PAUSES_MS.length + 1);
  for (const request of receiver.received) verify(made.secret, request);
  const [failed] = await deliveriesOf(made);
  expect(failed).toMatchObject({ state: 'failed', attempts: 9, next_attempt: null });
  expect(attempts).toEqual([...PAUSES_MS.map(() => 'retried'), 'failed']);

  // Somebody sends it again, and it is the same event.
  receiver.answer = (response) => response.writeHead(200).end();
  const path = `${made.path}/deliveries/${failed.id}/send-again`;
  const again = await pay.rig.ask('POST', path);
  expect(again.body).toMatchObject({ state: 'waiting', attempts: 9 });
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 10 }]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  // An event that was delivered can be sent again as well.
  await pay.rig.ask('POST', path);
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 11 }]);
});

test('the job of an attempt leads operators to the whole delivery and its attempts', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.refuseWith(503);
  await revokeKey(organization);
  await pay.work();
  receiver.answer = (response) => response.writeHead(204).end();
  const refused = new Date(pay.clock.now()).toISOString();
  pay.clock.advance(PAUSES_MS[0]);
  await pay.work();
  const [delivery] = await deliveriesOf(made);
  const { data } = (await pay.rig.ask('GET', '/api/v1/jobs?state=done&kind=webhook')).body;
  const [job] = data.filter(({ subject }: { subject: string }) => subject === made.id);
  const { status, body } = await pay.rig.ask('GET', `/api/v1/jobs/${job.id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    state: 'done',
    attempt_log: [{ error: null, router: expect.stringMatching(/^rtr_/) }],
    delivery: {
      id: delivery.id,
      organization,
      webhook: made.id,
      host: new URL(receiver.url()).host,
      event: delivery.event,
      type: 'key.revoked',
      state: 'delivered',
      attempts: 2,
      next_attempt: null,
      attempt_log: [
        { at: new Date(pay.clock.now()).toISOString(), status: 204, fault: null },
        { at: refused, status: 503, fault: 'status' },
      ],
    },
  });
  // What customers are sent is not an operator's to read here.
  expect(JSON.stringify(body)).not.toContain('"body"');
});

test('a delivery that waits for its next attempt gets it when somebody sends it again', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.refuseWith(500);
  await revokeKey(organization);
  for (const pause of [0, ...PAUSES_MS.slice(0, 3)]) {
    pay.clock.advance(pause);
    await pay.work();
  }
  receiver.answer = (response) => response.writeHead(204).end();
  const [{ id }] = await deliveriesOf(made);
  await pay.rig.ask('POST', `${made.path}/deliveries/${id}/send-again`);
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 5 }]);
  pay.clock.advance(24 * HOUR_MS);
  await pay.work();
  expect(receiver.received).toHaveLength(5);
});

test('an endpoint to which nothing could be delivered for three days is disabled, and those who manage billing get an email', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  const begin = pay.clock.now();
  receiver.refuseWith(500);
  while (pay.clock.now() - begin < FAILING_MS_MAX) {
    await revokeKey(organization);
    await pay.work();
    expect((await pay.rig.ask('GET', made.path)).body).toMatchObject({
      state: 'active',
      failing_since: new Date(begin).toISOString(),
    });
    await pay.hours(12);
  }
  await revokeKey(organization);
  pay.clock.advance(1);
  await pay.work();
  expect((await pay.rig.ask('GET', made.path)).body.state).toBe('disabled');
  const states = new Set((await deliveriesOf(made)).map(({ state }: { state: string }) => state));
  expect(states).toEqual(new Set(['failed']));
  expect((await pay.letters(organization)).filter((kind) => kind === 'webhook-disabled')).toEqual([
    'webhook-disabled',
  ]);
  const log = await pay.rig.ask('GET', `/api/v1/organizations/${organization}/audit`);
  expect(log.body.data[0].summary).toBe(
    `Penstock turned the webhook endpoint at 127.0.0.1:${receiver.port} off, because nothing could be delivered for three days`,
  );

  // It gets nothing until somebody turns it on; then it may fail for three days again.
  receiver.received.length = 0;
  await revokeKey(organization);
  const [failed] = await deliveriesOf(made);
  const path = `${made.path}/deliveries/${failed.id}/send-again`;
  expect((await pay.rig.ask('POST', path)).status).toBe(409);
  expect((await pay.rig.ask('POST', `${made.path}/test`)).status).toBe(409);
  await pay.work();
  expect(receiver.received).toEqual([]);
  await pay.rig.ask('PATCH', made.path, { active: true });
  await revokeKey(organization);
  await pay.work();
  expect(receiver.received).toHaveLength(1);
  expect((await pay.rig.ask('GET', made.path)).body.state).toBe('active');
});

test('an endpoint that answers once in three days is not disabled, and a failed test is no reason to', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  for (let day = 0; day < 4; day++) {
    receiver.refuseWith(500);
    expect((await pay.rig.ask('POST', `${made.path}/test`)).status).toBe(201);
    await pay.work();
    await revokeKey(organization);
    await pay.work();
    pay.clock.advance(20 * HOUR_MS);
    receiver.answer = (response) => response.writeHead(200).end();
    await pay.work();
    expect((await pay.rig.ask('GET', made.path)).body.failing_since).toBeNull();
    pay.clock.advance(4 * HOUR_MS);
  }
  expect((await pay.rig.ask('GET', made.path)).body.state).toBe('active');
});

test('a test event is sent once, and not again while one is under way', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization, { events: ['balance.low'] });
  receiver.refuseWith(418);
  const sent = await pay.rig.ask('POST', `${made.path}/test`);
  expect(sent.body).toMatchObject({ type: 'webhook.test', state: 'waiting' });
  const second = await pay.rig.ask('POST', `${made.path}/test`);
  expect(second.status).toBe(409);
  expect(second.body.error.message).toContain('A test event is being sent');
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([
    { type: 'webhook.test', state: 'failed', last_status: 418, attempts: 1 },
  ]);
  expect(receiver.received[0]?.event.data).toEqual({ organization, webhook: made.id });
});

test('after a rotation both secrets sign for a day, and then the new one alone', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  const rotated = await pay.rig.ask('POST', `${made.path}/rotate-secret`);
  expect(rotated.status).toBe(201);
  const { secret, former_secret_until: until } = rotated.body;
  expect(until).toBe(new Date(pay.clock.now() + 24 * HOUR_MS).toISOString());
  expect(secret).not.toBe(made.secret);
  await revokeKey(organization);
  await pay.work();
  const [during] = receiver.received;
  if (!during) throw new Error('nothing was received');
  expect(verify(secret, during)).toEqual(verify(made.secret, during));
  pay.clock.advance(24 * HOUR_MS);
  await revokeKey(organization);
  await pay.work();
  const after = receiver.received.at(-1);
  if (!after) throw new Error('nothing was received');
  verify(secret, after);
  expect(() => verify(made.secret, after)).toThrow(/No matching signature/);
  expect((await pay.rig.ask('GET', made.path)).body.former_secret_until).toBeNull();
});

test('endpoints that do not answer hold up neither others nor emails, and get one request at a time', async () => {
  await using silent = await Receiver.start();
  silent.answer = () => undefined;
  const slow = await pay.customer();
  for (let n = 0; n < ENDPOINTS_MAX; n++) {
    await endpoint(slow, { url: silent.url(`/${n}`) });
  }
  for (let n = 0; n < 3; n++) await revokeKey(slow);
  await pay.look();
  await eventually(() => silent.received.length === ENDPOINTS_MAX);

  const quick = await pay.customer();
  const made = await endpoint(quick);
  await revokeKey(quick);
  const threshold = { low_balance_threshold: '100' };
  await pay.rig.ask('PATCH', `/api/v1/organizations/${quick}`, threshold);
  pay.clock.advance(9_999);
  await expect
    .poll(async () => {
      await pay.look();
      const left = await pay.rig.place.sql(
        `select id from jobs where kind = 'letter' and state in ('waiting', 'running')`,
      );
      const [delivery] = await deliveriesOf(made);
      return [left.length, delivery?.state];
    })
    .toEqual([0, 'delivered']);
  // Those that are silent still have their first request.
  expect(silent.received).toHaveLength(ENDPOINTS_MAX);
  // The later deliveries follow at once, and are answered.
  silent.answer = (response) => response.writeHead(204).end();
  pay.clock.advance(1);
  await expect.poll(() => attempts.filter((one) => one === 'retried').length).toBe(10);
  await pay.work();
  pay.clock.advance(5_000);
  await pay.work();
  const all = await pay.rig.place.sql(
    `select state, last_fault from webhook_deliveries where organization = '${slow}'`,
  );
  expect(all).toHaveLength(30);
  expect(all.every((row) => (row as { state: string }).state === 'delivered')).toBe(true);
});

test('a redirect is not followed, and counts as a failure', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.answer = (response) =>
    response.writeHead(307, { location: receiver.url('/elsewhere') }).end();
  await revokeKey(organization);
  await pay.work();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
  expect(await deliveriesOf(made)).toMatchObject([{ last_status: 307, last_fault: 'status' }]);
  await pay.rig.ask('DELETE', made.path);
});

test('an answer without an end is not read to its end, and only its beginning is kept', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  let sent = 0;
  let closed = false;
  receiver.answer = (response) => {
    response.writeHead(200);
    response.on('close', () => {
      closed = true;
    });
    const more = () => {
      while (!closed && response.write('unwanted-answer '.repeat(64))) sent += 1024;
    };
    response.on('drain', more);
    more();
  };
  await revokeKey(organization);
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', last_status: 200 }]);
  await eventually(() => closed);
  // What the sockets of both ends buffer.
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  const [{ attempt_log: log }] = (await pay.rig.place.sql(
    `select attempt_log from webhook_deliveries where webhook = '${made.id}'`,
  )) as [{ attempt_log: string }];
  expect(log).toContain('unwanted-answer');
  expect(log.length).toBeLessThan(ANSWER_BYTES_MAX + 200);
});

test('a server that is gone is a failure of the connection', async () => {
  const organization = await pay.customer();
  const gone = await Receiver.start();
  const made = await endpoint(organization, { url: gone.url() });
  await gone[Symbol.asyncDispose]();
  await revokeKey(organization);
  await pay.work();
  expect(await deliveriesOf(made)).toMatchObject([
    { state: 'waiting', last_status: null, last_fault: 'connection' },
  ]);
  await pay.rig.ask('DELETE', made.path);
  expect(await pay.rig.place.sql(`select id from jobs where subject = '${made.id}'`)).toEqual([]);
});

test('the store has neither a secret nor, in the audit log, the path of a URL', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization, { url: receiver.url('/T000/private-path') });
  const { body } = await pay.rig.ask('POST', `${made.path}/rotate-secret`);
  await revokeKey(organization);
  await pay.work();
  const bytes = await pay.rig.bytes();
  for (const secret of [made.secret, body.secret]) {
    expect(bytes).not.toContain(secret.slice(6, 40));
  }
  const log = await pay.rig.place.sql(
    `select details, before from audit where target = '${made.id}'`,
  );
  expect(log.length).toBeGreaterThan(1);
  expect(JSON.stringify(log)).not.toContain('private-path');
});

test('of an endpoint the newest deliveries are kept, for thirty days', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  const now = pay.clock.now();
  await pay.rig.place.sql(
    ...Array.from(
      { length: DELIVERIES_KEPT_MAX },
      (_, n) =>
        `insert into webhook_deliveries (id, organization, webhook, event, type, body, state, attempts, round, created)
         values ('dlv_${String(n).padStart(26, '0')}', '${organization}', '${made.id}', 'e${n}', 'key.revoked', '{}', 'delivered', 1, 1, ${now})`,
    ),
  );
  await revokeKey(organization);
  await pay.work();
  const kept = await deliveriesOf(made);
  expect(kept).toHaveLength(DELIVERIES_KEPT_MAX);
  expect(kept.at(-1).id).toBe(`dlv_${'1'.padStart(26, '0')}`);
  const jobs = () => pay.rig.place.sql(`select id from jobs where subject = '${made.id}'`);
  expect(await jobs()).toHaveLength(1);
  pay.clock.advance(30 * 24 * HOUR_MS + 1);
  for (let n = 0; n < 3; n++) {
    pay.clock.advance(10 * 60_000);
    await pay.work();
  }
  await expect.poll(async () => (await deliveriesOf(made)).length).toBe(0);
  expect(await jobs()).toEqual([]);
});

test('with an organization its endpoints, deliveries and their jobs are erased, and nothing more is sent', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.refuseWith(500);
  await revokeKey(organization, 'secret project');
  await pay.work();
  const owner = await signIn(pay.rig, { role: 'org-admin', organization });
  const before = receiver.received.length;
  await pay.rig.ask('POST', `/api/v1/organizations/${organization}/credit/adjustments`, {
    amount: '-5',
    reason: 'gone',
  });
  const gone = await owner.ask('DELETE', `/api/v1/organizations/${organization}`, {
    name: 'Customer',
  });
  expect(gone.status).toBe(200);
  await pay.hours(3);
  expect(receiver.received).toHaveLength(before);
  for (const [table, column] of [
    ['webhook_endpoints', 'organization'],
    ['webhook_deliveries', 'organization'],
    ['exhausted_credit', 'organization'],
  ]) {
    const sql = `select * from ${table} where ${column} = '${organization}'`;
    expect(await pay.rig.place.sql(sql)).toEqual([]);
  }
  expect(await pay.rig.place.sql(`select id from jobs where subject = '${made.id}'`)).toEqual([]);
});
