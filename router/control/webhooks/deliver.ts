/**
 * Delivers events: at least once, and in no particular order. An attempt that fails for a reason of
 * the endpoint is recorded, and its job has done its work; the next attempt is another job.
 */
import type { WebhookId } from '../../../shared/ids.ts';
import { mintId } from '../../../shared/ids.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { ControlParts } from '../parts.ts';
import { type DueAttempt, readAttempt, recordAttempt } from './attempts.ts';
import type { AttemptPayload } from './queue.ts';
import { openWebhookSecret, signedHeaders } from './secrets.ts';
import type { WebhookSender } from './send.ts';

export type DeliverParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper'> &
  Readonly<{
    sender: WebhookSender;
    /** Called with the result of each attempt. */
    onAttempt?: ((result: AttemptResult) => void) | undefined;
  }>;

export type AttemptResult = 'delivered' | 'retried' | 'failed' | 'disabled';

export function webhookHandler(parts: DeliverParts): JobHandler {
  const { store, clock, random, sender, onAttempt } = parts;
  return async ({ subject, payload }) => {
    const of = payload as AttemptPayload;
    const due = await store.call(readAttempt, of);
    if (!due) return;
    const { url, body } = due;
    const sent = await sender.send({ url, body, headers: headersOf(parts, due) });
    const result = await store.call(recordAttempt, {
      ...of,
      webhook: subject as WebhookId,
      sent,
      audit: mintId('audit', clock, random),
      now: clock.now(),
    });
    if (result !== 'gone') onAttempt?.(result);
  };
}

function headersOf(
  { pepper, clock }: Pick<DeliverParts, 'pepper' | 'clock'>,
  due: DueAttempt,
): Record<string, string> {
  const { id, event, body, secret, former_secret: former, former_until: until } = due;
  const at = clock.now();
  const isFormerValid = former !== null && until !== null && at < Number(until);
  const sealed = isFormerValid ? [secret, former] : [secret];
  const secrets = sealed.map((one) => openWebhookSecret(pepper, id, one));
  return signedHeaders({ id: event, at, body }, secrets);
}
