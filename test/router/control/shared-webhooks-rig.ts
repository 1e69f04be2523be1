/**
 * A control plane with its background jobs, and a customer's server on loopback, which all tests of
 * a file share.
 */
import { beforeAll, beforeEach, expect } from 'vitest';
import type { AttemptResult } from '../../../router/control/webhooks/deliver.ts';
import { type PaymentsRig, startPaymentsRig } from './payments-rig.ts';
import { Receiver } from '../../support/webhook-receiver.ts';

export let pay: PaymentsRig;
export let receiver: Receiver;
/** The results of all attempts, in their order. */
export const attempts: AttemptResult[] = [];

/** A test file calls this first. Both start before its first test and end after its last. */
export function shareWebhooks(): void {
  beforeAll(async () => {
    await using undo = new AsyncDisposableStack();
    receiver = undo.use(await Receiver.start());
    pay = undo.use(
      await startPaymentsRig({
        webhooks: { allowPrivateAddresses: true },
        onAttempt: (result) => attempts.push(result),
      }),
    );
    const owned = undo.move();
    return () => owned.disposeAsync();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    attempts.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
  });
}

export type Made = Readonly<{ id: string; secret: string; path: string }>;

const ALL = [
  'balance.low',
  'balance.exhausted',
  'budget.reached',
  'payment.succeeded',
  'payment.failed',
  'invoice.issued',
  'key.revoked',
];

/** Creates an endpoint at the customer's server. */
export async function endpoint(
  organization: string,
  fields: Readonly<{ url?: string; events?: readonly string[] }> = {},
): Promise<Made> {
  const path = `/api/v1/organizations/${organization}/webhooks`;
  const made = await pay.rig.ask('POST', path, { url: receiver.url(), events: ALL, ...fields });
  expect(made.status).toBe(201);
  return { id: made.body.id, secret: made.body.secret, path: `${path}/${made.body.id}` };
}

export async function deliveriesOf({ path }: Made) {
  const { body } = await pay.rig.ask('GET', `${path}/deliveries?limit=1000`);
  return body.data;
}

/** Causes an event, and returns the id of the key that was revoked. */
export async function revokeKey(organization: string, name = 'ci'): Promise<string> {
  const path = `/api/v1/organizations/${organization}/keys`;
  const { id } = (await pay.rig.ask('POST', path, { name })).body;
  expect((await pay.rig.ask('POST', `${path}/${id}/revoke`)).status).toBe(200);
  return id;
}
