import { WebhookDeliveryIdText } from '../../../shared/api/ids.ts';
import {
  Delivery,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
} from '../../../shared/api/webhooks.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import { answerPage } from '../pages.ts';
import {
  listDeliveries,
  readDelivery,
  sendAgainAudited,
  testWebhookAudited,
} from './deliveries.ts';
import { DELIVERY_DAYS } from './forget.ts';
import { DELIVERIES_KEPT_MAX } from './queue.ts';
import { readHost, WebhookPath, type WebhookParts } from './routes.ts';
import { shownDelivery, shownDetail } from './serialize.ts';

const DeliveryPath = WebhookPath.extend({ delivery: WebhookDeliveryIdText });

const OFF = 'The webhook endpoint is off: turn it on first.';

export function webhookDeliveryRoutes(
  api: Api,
  { store, clock }: Pick<WebhookParts, 'store' | 'clock'>,
): void {
  api.get(
    '/organizations/:organization/webhooks/:webhook/deliveries',
    {
      config: { access: { organization: 'billing' } },
      schema: {
        summary: 'List the deliveries to a webhook endpoint',
        description: `The latest ${DELIVERIES_KEPT_MAX} deliveries of the last ${DELIVERY_DAYS} days.`,
        tags: ['webhooks'],
        params: WebhookPath,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async ({ params, query: { limit, after = null, state = null, type = null } }) => {
      const page = await store.call(listDeliveries, { ...params, limit, after, state, type });
      return answerPage(found(page, 'webhook'), shownDelivery);
    },
  );

  api.get(
    '/organizations/:organization/webhooks/:webhook/deliveries/:delivery',
    {
      config: { access: { organization: 'billing' } },
      schema: {
        summary: 'Get a delivery with its attempts',
        tags: ['webhooks'],
        params: DeliveryPath,
        response: { 200: DeliveryDetail },
      },
    },
    async ({ params }) => shownDetail(found(await store.call(readDelivery, params), 'delivery')),
  );

  api.post(
    '/organizations/:organization/webhooks/:webhook/test',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.test' },
      schema: {
        summary: 'Send a test event to a webhook endpoint',
        description: 'Its type is `webhook.test`. It is tried once.',
        tags: ['webhooks'],
        params: WebhookPath,
        response: { 201: Delivery },
      },
    },
    async (request, reply) => {
      const { organization, webhook } = request.params;
      const host = await readHost(store, organization, webhook);
      const answer = await store.call(testWebhookAudited, {
        input: { organization, webhook, now: clock.now() },
        entry: request.auditEntry({ target: webhook, details: { host } }),
      });
      if (answer === 'unknown') throw noSuch('webhook');
      if (answer === 'off') throw new Refused('conflict', OFF);
      if (answer === 'busy') {
        throw new Refused('conflict', 'A test event is being sent: wait until it has ended.');
      }
      return reply.code(201).send(shownDelivery(answer));
    },
  );

  api.post(
    '/organizations/:organization/webhooks/:webhook/deliveries/:delivery/send-again',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.send-again' },
      schema: {
        summary: 'Send a delivery again, with the same event id',
        description: 'A delivery that waits for its next attempt gets it now.',
        tags: ['webhooks'],
        params: DeliveryPath,
        response: { 200: Delivery },
      },
    },
    async (request) => {
      const { organization, webhook, delivery } = request.params;
      const host = await readHost(store, organization, webhook);
      const answer = await store.call(sendAgainAudited, {
        input: { organization, webhook, delivery, now: clock.now() },
        entry: request.auditEntry({ target: webhook, details: { host, delivery } }),
      });
      if (answer === 'unknown') throw noSuch('delivery');
      if (answer === 'off') throw new Refused('conflict', OFF);
      return shownDelivery(answer);
    },
  );
}
