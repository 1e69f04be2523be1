/** Webhook endpoints and deliveries as the API writes them. */
import type { Delivery, DeliveryDetail, Webhook } from '../../../shared/api/webhooks.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import { deliveryAttempts } from './attempts-shown.ts';
import type { ListedDelivery } from './deliveries.ts';
import type { ListedWebhook } from './procedures.ts';

export function shownWebhook(row: ListedWebhook, now: number): Webhook {
  const { id, url, events, failing_since, former_until, created_by: person, created } = row;
  return {
    id,
    url,
    events: events.split(' '),
    state: stateOf(row),
    failing_since: instantOrNull(failing_since),
    former_secret_until:
      former_until !== null && Number(former_until) > now ? isoInstant(former_until) : null,
    created_by: person && { person, name: row.maker_name },
    created: isoInstant(created),
  };
}

function stateOf({ active, disabled }: ListedWebhook): Webhook['state'] {
  if (active === 1n) return 'active';
  return disabled === null ? 'off' : 'disabled';
}

export function shownDelivery(row: ListedDelivery): Delivery {
  const { id, event, type, state, attempts, last_status, last_fault, body, created } = row;
  return {
    id,
    event,
    type,
    state,
    attempts: Number(attempts),
    last_attempt: instantOrNull(row.last_attempt),
    last_status: last_status === null ? null : Number(last_status),
    last_fault,
    next_attempt: instantOrNull(row.next_attempt),
    created: isoInstant(created),
    body,
  };
}

export function shownDetail(row: WebhookDeliveryRow): DeliveryDetail {
  return {
    ...shownDelivery(row),
    attempt_log: deliveryAttempts(row.attempt_log).map(
      ({ at, took = null, status, fault, answer = null }) => ({
        ended: new Date(at).toISOString(),
        duration_ms: took,
        status,
        fault,
        answer,
      }),
    ),
  };
}
