/** What customers see of the attempts of a delivery. */
import { expect, test } from 'vitest';
import { PAUSES_MS } from '../../../router/control/webhooks/attempts.ts';
import { ANSWER_BYTES_MAX, ANSWERS_KEPT_MAX } from '../../../shared/webhook-events.ts';
import {
  deliveriesOf,
  endpoint,
  type Made,
  pay,
  receiver,
  revokeKey,
  shareWebhooks,
} from './shared-webhooks-rig.ts';

shareWebhooks();

/** A delivery with its attempts. */
async function attemptsOf(made: Made): Promise<{ path: string; log: Record<string, unknown>[] }> {
  const [delivery] = await deliveriesOf(made);
  expect(delivery).not.toHaveProperty('attempt_log');
  const path = `${made.path}/deliveries/${delivery.id}`;
  const { status, body } = await pay.rig.ask('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject(delivery);
  return { path, log: body.attempt_log };
}

/** Causes an event that is answered with this. */
async function answered(made: Made, organization: string, status: number, body: string | Buffer) {
  receiver.answer = (response) => response.writeHead(status).end(body);
  await revokeKey(organization);
  await pay.work();
  return await attemptsOf(made);
}

test('a delivery has its attempts, each with the answer as text, the newest first', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  await answered(made, organization, 500, '<script>alert("no")</script>');
  const refused = new Date(pay.clock.now()).toISOString();
  receiver.answer = (response) => response.writeHead(202).end('thanks');
  pay.clock.advance(PAUSES_MS[0]);
  await pay.work();
  const { log } = await attemptsOf(made);
  const duration_ms = expect.any(Number);
  expect(log).toEqual([
    {
      ended: new Date(pay.clock.now()).toISOString(),
      duration_ms,
      status: 202,
      fault: null,
      answer: 'thanks',
    },
    {
      ended: refused,
      duration_ms,
      status: 500,
      fault: 'status',
      answer: '<script>alert("no")</script>',
    },
  ]);
});

test('an attempt that a router of an earlier version made has neither a duration nor an answer', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  await answered(made, organization, 204, '');
  await pay.rig.place.sql(
    `update webhook_deliveries set attempt_log = '[{"at":0,"status":204,"fault":null}]'
     where webhook = '${made.id}'`,
  );
  expect((await attemptsOf(made)).log).toEqual([
    {
      ended: new Date(0).toISOString(),
      duration_ms: null,
      status: 204,
      fault: null,
      answer: null,
    },
  ]);
});

test.each([
  ['is long', 'x'.repeat(ANSWER_BYTES_MAX + 1), 'x'.repeat(ANSWER_BYTES_MAX)],
  ['is cut within a character', `x${'ä'.repeat(ANSWER_BYTES_MAX)}`, `x${'ä'.repeat(1023)}`],
  ['has control characters', 'a\0b\u001b[31m\u202Ec\r\n\td', 'a\uFFFDb\uFFFD[31m\uFFFDc\n\td'],
  ['is no text', Buffer.from([0xff, 0xfe, 0x41]), '\uFFFD\uFFFDA'],
  ['is empty', '', ''],
])('an answer that %s is kept as bounded text', async (_, body, answer) => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  expect((await answered(made, organization, 400, body)).log).toMatchObject([{ answer }]);
  await pay.rig.ask('DELETE', made.path);
});

test('the answers of the newest attempts are kept, and of those before only the outcome', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  await answered(made, organization, 503, 'later');
  for (const pause of PAUSES_MS) {
    pay.clock.advance(pause);
    await pay.work();
  }
  const { log } = await attemptsOf(made);
  expect(log).toHaveLength(PAUSES_MS.length + 1);
  const kept = log.map(({ answer }) => answer === 'later');
  expect(kept).toEqual(log.map((_, index) => index < ANSWERS_KEPT_MAX));
  expect(log.at(-1)).toMatchObject({ status: 503, fault: 'status', answer: null });
});

test('deliveries are narrowed to a state and a type', async () => {
  const organization = await pay.customer();
  const made = await endpoint(organization);
  receiver.refuseWith(500);
  await pay.rig.ask('POST', `${made.path}/test`);
  await pay.work();
  // Deliveries are sorted by the time in their ids.
  pay.clock.advance(1_000);
  receiver.answer = (response) => response.writeHead(204).end();
  await revokeKey(organization);
  await pay.work();
  const typesOf = async (query: string) => {
    const { body } = await pay.rig.ask('GET', `${made.path}/deliveries?${query}`);
    return body.data.map(({ type }: { type: string }) => type);
  };
  expect(await typesOf('')).toEqual(['key.revoked', 'webhook.test']);
  expect(await typesOf('state=failed')).toEqual(['webhook.test']);
  expect(await typesOf('type=key.revoked')).toEqual(['key.revoked']);
  expect(await typesOf('type=key.revoked&state=failed')).toEqual([]);
  for (const query of ['state=lost', 'type=key.made']) {
    expect((await pay.rig.ask('GET', `${made.path}/deliveries?${query}`)).status, query).toBe(400);
  }
});

test('a delivery of another endpoint or organization is as one that does not exist', async () => {
  const [organization, other] = [await pay.customer(), await pay.customer()];
  const made = await endpoint(organization);
  const { path } = await answered(made, organization, 204, 'private');
  const delivery = path.slice(path.lastIndexOf('/'));
  const second = await endpoint(organization);
  const foreign = await endpoint(other);
  for (const { path: from } of [second, foreign]) {
    const { status, body } = await pay.rig.ask('GET', `${from}/deliveries${delivery}`);
    expect([status, body.error.message]).toEqual([404, 'There is no such delivery.']);
  }
});
