/** The names of events, states and faults, as people read them. */
import type {
  Delivery,
  DeliveryFault,
  Webhook,
  WebhookEventType,
} from '../../../../shared/api/webhooks.ts';
import type { Tone } from '../../parts/tone.ts';

/** What each event says, in the order in which they are offered. */
export const EVENTS: Readonly<Record<WebhookEventType, string>> = {
  'balance.low': 'The balance fell below the low balance threshold.',
  'balance.exhausted': 'A request was refused because the credit did not cover it.',
  'budget.reached': 'The spend of the month reached 50, 80 or 100 percent of the budget.',
  'payment.succeeded': 'A payment was received and credited.',
  'payment.failed': 'A payment failed, for example an auto-recharge.',
  'invoice.issued': 'An invoice was issued.',
  'key.revoked': 'An API key was revoked or deleted.',
};

export const EVENT_TYPES = Object.keys(EVENTS) as readonly WebhookEventType[];

type State = Readonly<{ tone: Tone; name: string }>;

export const WEBHOOK_STATES: Readonly<Record<Webhook['state'], State>> = {
  active: { tone: 'good', name: 'Active' },
  off: { tone: 'neutral', name: 'Off' },
  disabled: { tone: 'bad', name: 'Disabled' },
};

export const DELIVERY_STATES: Readonly<Record<Delivery['state'], State>> = {
  waiting: { tone: 'warn', name: 'Waiting' },
  delivered: { tone: 'good', name: 'Delivered' },
  failed: { tone: 'bad', name: 'Failed' },
};

export function attemptState({ fault }: Readonly<{ fault: string | null }>): State {
  return DELIVERY_STATES[fault === null ? 'delivered' : 'failed'];
}

const FAULTS: Readonly<Record<DeliveryFault, string>> = {
  status: 'The response was not a 2xx',
  timeout: 'No response within 10 s',
  dns: 'The host name was not found, or has an address that is not public',
  connection: 'The connection failed',
  tls: 'The certificate is not trusted, or TLS failed',
  private_address: 'The address is not public',
  endpoint_off: 'The endpoint was turned off',
};

/** "HTTP 500", or why there was no answer. */
export function outcomeOf({ last_status: status, last_fault: fault, attempts }: Delivery): string {
  if (status === null && fault === null && attempts === 0) return 'Not sent yet';
  return attemptOutcome({ status, fault });
}

/** The same of one attempt. */
export function attemptOutcome({
  status,
  fault,
}: Readonly<{ status: number | null; fault: string | null }>): string {
  if (fault === 'endpoint_off') return FAULTS.endpoint_off;
  if (status !== null) return `HTTP ${status}`;
  if (fault === null) return 'Sent';
  return FAULTS[fault as DeliveryFault] ?? fault;
}
