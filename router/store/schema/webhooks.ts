/** The tables of webhooks (decision 0032). */
import type {
  OrganizationId,
  PersonId,
  WebhookDeliveryId,
  WebhookEventId,
  WebhookId,
} from '../../../shared/ids.ts';

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointRow;
  webhook_deliveries: WebhookDeliveryRow;
  exhausted_credit: ExhaustedCreditRow;
}

/** A URL of a customer to which events of the organization are sent. */
export interface WebhookEndpointRow {
  id: WebhookId;
  organization: OrganizationId;
  url: string;
  /** The types of events that are sent there, separated by spaces. */
  events: string;
  /** The secret that signs, sealed under a pepper. */
  secret: string;
  /** The secret before it, sealed, which signs as well until `former_until`. */
  former_secret: string | null;
  former_until: bigint | null;
  /** 1: events are sent. */
  active: bigint;
  /** When it was turned off because its deliveries failed; null: it was not, or is on again. */
  disabled: bigint | null;
  /** The first failed attempt since the last successful one. */
  failing_since: bigint | null;
  /** The member who created it; null: a token or an operator did. */
  created_by: PersonId | null;
  created: bigint;
  /** When its last attempt ended, or when it was created: who waits longest is served first. */
  turn: bigint;
}

/** One event for one endpoint. */
export interface WebhookDeliveryRow {
  id: WebhookDeliveryId;
  organization: OrganizationId;
  webhook: WebhookId;
  /** The same for each endpoint and each attempt. */
  event: WebhookEventId;
  type: string;
  /** The JSON that is sent. */
  body: string;
  state: 'waiting' | 'delivered' | 'failed';
  /** All attempts. */
  attempts: bigint;
  /** The attempts since it was last asked to be sent. */
  round: bigint;
  last_attempt: bigint | null;
  /** The status of the last answer; null: there was none. */
  last_status: bigint | null;
  /** Why the last attempt failed. */
  last_fault: string | null;
  /** Null when no attempt is to follow. */
  next_attempt: bigint | null;
  created: bigint;
  ended: bigint | null;
  /** The last attempts that have ended (`router/control/webhooks/delivery-log.ts`). */
  attempt_log: string | null;
}

/** An organization whose request was refused for lack of credit and that has had none since. */
export interface ExhaustedCreditRow {
  organization: OrganizationId;
  noted: bigint;
}
