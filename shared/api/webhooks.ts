/**
 * Webhooks in the management API: endpoints of customers, and what was delivered to them. The
 * requests to these endpoints follow Standard Webhooks (docs/webhooks.md).
 */
import { z } from 'zod';
import { ATTEMPTS_KEPT_MAX } from '../jobs.ts';
import {
  ANSWER_BYTES_MAX,
  ANSWERS_KEPT_MAX,
  DELIVERY_STATES,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from '../webhook-events.ts';
import { count, instant, PRINTED, PRINTED_FAULT } from './fields.ts';
import { WebhookDeliveryIdText } from './ids.ts';
import { page, pageQuery } from './pages.ts';

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

const URL_CHARS_MAX = 2048;
const URL_FAULT = 'Enter a URL such as https://example.com/webhooks.';

export const WebhookUrl = z
  .string()
  .trim()
  .max(URL_CHARS_MAX, `Enter at most ${URL_CHARS_MAX} characters.`)
  .regex(PRINTED, PRINTED_FAULT)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && ['https:', 'http:'].includes(url.protocol) && url.hostname !== '';
  }, URL_FAULT)
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || (url.username === '' && url.password === '');
  }, 'Remove the user name and password from the URL: each request is signed instead.')
  .refine((text) => (URL.parse(text)?.hash ?? '') === '', 'Remove the part of the URL after #.')
  .meta({ format: 'uri', examples: ['https://example.com/webhooks'] });

export const WebhookEvents = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, 'Choose at least one event.')
  .max(WEBHOOK_EVENTS.length, 'Name each event once.')
  .refine((events) => new Set(events).size === events.length, 'Name each event once.')
  .meta({ uniqueItems: true, examples: [['balance.low', 'balance.exhausted']] });

export const NewWebhook = z.strictObject({ url: WebhookUrl, events: WebhookEvents });

/** Only the fields that are given change. */
export const WebhookChange = z.strictObject({
  url: WebhookUrl.optional(),
  events: WebhookEvents.optional(),
  active: z.boolean().optional().describe('False: no events are sent until it is true again.'),
});
export type WebhookChange = z.infer<typeof WebhookChange>;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  state: z
    .enum(['active', 'off', 'disabled'])
    .describe(
      'Events are sent only to an active endpoint. One that is off was turned off by somebody. One ' +
        'that is disabled was turned off because its deliveries had failed for three days.',
    ),
  failing_since: instant
    .nullable()
    .describe('The first attempt that failed since the last one that succeeded.'),
  former_secret_until: instant
    .nullable()
    .describe('Until then the secret before the last rotation signs as well.'),
  created_by: z
    .object({
      person: z.string(),
      name: z.string().nullable().describe('Null when the data of this person has been erased.'),
    })
    .nullable(),
  created: instant,
});
export type Webhook = z.infer<typeof Webhook>;
export const WebhookPage = page(Webhook);

/** The response to a creation or a rotation, and the only ones that contain the secret. */
export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe('The secret that signs the requests. No other response contains it.')
    .meta({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] }),
});

/** Why an attempt failed. */
export const DELIVERY_FAULTS = [
  'status',
  'timeout',
  'dns',
  'connection',
  'tls',
  'private_address',
  'endpoint_off',
] as const;
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];

export const Delivery = z.object({
  id: z.string(),
  event: z
    .string()
    .describe('The id of the event, which each of its requests has as `webhook-id`.'),
  type: z.string(),
  state: z
    .enum(DELIVERY_STATES)
    .describe('`waiting`: an attempt is to follow. `failed`: it was given up.'),
  attempts: count,
  last_attempt: instant.nullable(),
  last_status: count.nullable().describe('The HTTP status of the last answer, if there was one.'),
  last_fault: z
    .string()
    .nullable()
    .describe(
      'Why the last attempt failed: `status` (the answer was not a 2xx), `timeout`, `dns` (the name ' +
        'was not found, or has an address that is not public), ' +
        '`connection`, `tls`, `private_address` (the host is an address that is not public) or ' +
        '`endpoint_off` (the endpoint was turned off before it was delivered).',
    ),
  next_attempt: instant.nullable(),
  created: instant,
  body: z.string().describe('The JSON that is sent.'),
});
export type Delivery = z.infer<typeof Delivery>;
export const DeliveryPage = page(Delivery);

export const DeliveryQuery = pageQuery(WebhookDeliveryIdText).extend({
  state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
  type: z
    .enum([...WEBHOOK_EVENTS, TEST_EVENT])
    .optional()
    .describe('Only deliveries of events of this type.'),
});

const DeliveryAttempt = z.object({
  ended: instant,
  duration_ms: count
    .nullable()
    .describe('How long it took. Null: a router of an earlier version made the attempt.'),
  status: count.nullable().describe('The HTTP status of the answer, if there was one.'),
  fault: z.string().nullable().describe('Why it failed, as in `last_fault`. Null: it succeeded.'),
  answer: z
    .string()
    .nullable()
    .describe(
      `The first ${ANSWER_BYTES_MAX} bytes of the body of the answer, as text. Null: there was no answer, or it is not kept. Answers of the last ${ANSWERS_KEPT_MAX} attempts are kept.`,
    ),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetail = Delivery.extend({
  attempt_log: z
    .array(DeliveryAttempt)
    .describe(`The attempts that have ended, the newest first, at most ${ATTEMPTS_KEPT_MAX}.`),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;
