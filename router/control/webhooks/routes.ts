import { WebhookIdText } from '../../../shared/api/ids.ts';
import { Deleted } from '../../../shared/api/keys.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookPage,
  WebhookWithSecret,
} from '../../../shared/api/webhooks.ts';
import { mintId, type OrganizationId, type WebhookId } from '../../../shared/ids.ts';
import { personOrNull } from '../access/gate.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import type { Details } from '../audit/record.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { hostOf } from './attempts.ts';
import {
  changeWebhookAudited,
  createWebhookAudited,
  deleteWebhookAudited,
  type EndpointChange,
  ENDPOINTS_MAX,
  findWebhook,
  listWebhooks,
  rotateWebhookSecretAudited,
} from './procedures.ts';
import { FORMER_SECRET_MS, mintWebhookSecret } from './secrets.ts';
import { shownWebhook } from './serialize.ts';
import { checkTarget } from './target.ts';

export type WebhookParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper' | 'webhooks'>;

export const WebhookPath = OrganizationPath.extend({ webhook: WebhookIdText });

export function webhookEndpointRoutes(api: Api, parts: WebhookParts): void {
  const { store, clock, random, webhooks: settings } = parts;
  const read = async (organization: OrganizationId, webhook: WebhookId): Promise<Webhook> => {
    const row = await store.call(findWebhook, { organization, webhook });
    return shownWebhook(found(row, 'webhook'), clock.now());
  };

  api.get(
    '/organizations/:organization/webhooks',
    {
      config: { access: { organization: 'billing' } },
      schema: {
        summary: 'List webhook endpoints',
        tags: ['webhooks'],
        params: OrganizationPath,
        querystring: pageQuery(WebhookIdText),
        response: { 200: WebhookPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const now = clock.now();
      const page = await store.call(listWebhooks, { organization, limit, after });
      return answerPage(page, (row) => shownWebhook(row, now));
    },
  );

  api.post(
    '/organizations/:organization/webhooks',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.create' },
      schema: {
        summary: 'Create a webhook endpoint; only this response contains its secret',
        tags: ['webhooks'],
        params: OrganizationPath,
        body: NewWebhook,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { events } = request.body;
      const url = checkTarget(request.body.url, settings);
      const id = mintId('webhook', clock, random);
      const { secret, sealed } = mintWebhookSecret(parts, id);
      const maker = personOrNull(request);
      const answer = await store.call(createWebhookAudited, {
        input: { id, organization, url, events, secret: sealed, maker, created: clock.now() },
        entry: request.auditEntry({ target: id, details: detailsOf({ url, events }) }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'full') {
        const most = `An organization has at most ${ENDPOINTS_MAX} webhook endpoints`;
        throw new Refused('conflict', `${most}: delete one that is not needed any more.`);
      }
      return reply.code(201).send({ ...(await read(organization, id)), secret });
    },
  );

  api.get(
    '/organizations/:organization/webhooks/:webhook',
    {
      config: { access: { organization: 'billing' } },
      schema: {
        summary: 'Get a webhook endpoint',
        tags: ['webhooks'],
        params: WebhookPath,
        response: { 200: Webhook },
      },
    },
    ({ params: { organization, webhook } }) => read(organization, webhook),
  );

  api.patch(
    '/organizations/:organization/webhooks/:webhook',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.change' },
      schema: {
        summary: "Change a webhook endpoint's URL or events, or turn it off or on",
        description:
          'While an endpoint is off it gets no events, and what waited for it is given up. It can ' +
          'be sent again once the endpoint is on.',
        tags: ['webhooks'],
        params: WebhookPath,
        body: WebhookChange,
        response: { 200: Webhook },
      },
    },
    async (request) => {
      const { organization, webhook } = request.params;
      const { url, ...rest } = request.body;
      const host = await readHost(store, organization, webhook);
      const change = { ...rest, ...(url === undefined ? {} : { url: checkTarget(url, settings) }) };
      const answer = await store.call(changeWebhookAudited, {
        input: { organization, webhook, change, now: clock.now() },
        entry: request.auditEntry({ target: webhook, details: { host, ...detailsOf(change) } }),
      });
      if (answer === 'unknown') throw noSuch('webhook');
      return await read(organization, webhook);
    },
  );

  api.delete(
    '/organizations/:organization/webhooks/:webhook',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.delete' },
      schema: {
        summary: 'Delete a webhook endpoint, with its deliveries',
        tags: ['webhooks'],
        params: WebhookPath,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { organization, webhook } = request.params;
      const host = await readHost(store, organization, webhook);
      const answer = await store.call(deleteWebhookAudited, {
        input: { organization, webhook },
        entry: request.auditEntry({ target: webhook, details: { host } }),
      });
      if (answer === 'unknown') throw noSuch('webhook');
      return { id: webhook, deleted: true as const };
    },
  );

  api.post(
    '/organizations/:organization/webhooks/:webhook/rotate-secret',
    {
      config: { access: { organization: 'billing' }, action: 'webhook.rotate-secret' },
      schema: {
        summary:
          'Replace the secret of a webhook endpoint; only this response contains the new one',
        description: 'The secret before it signs as well for another 24 hours.',
        tags: ['webhooks'],
        params: WebhookPath,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { organization, webhook } = request.params;
      const host = await readHost(store, organization, webhook);
      const { secret, sealed } = mintWebhookSecret(parts, webhook);
      const formerUntil = clock.now() + FORMER_SECRET_MS;
      const answer = await store.call(rotateWebhookSecretAudited, {
        input: { organization, webhook, secret: sealed, formerUntil },
        entry: request.auditEntry({ target: webhook, details: { host } }),
      });
      if (answer === 'unknown') throw noSuch('webhook');
      return reply.code(201).send({ ...(await read(organization, webhook)), secret });
    },
  );
}

/**
 * Returns how the audit log names an endpoint, whose name is gone when it is deleted. Throws
 * `Refused` when there is no such endpoint.
 */
export async function readHost(
  store: WebhookParts['store'],
  organization: OrganizationId,
  webhook: WebhookId,
): Promise<string> {
  return hostOf(found(await store.call(findWebhook, { organization, webhook }), 'webhook').url);
}

/** The path and query of a URL may contain a secret, so the audit log has only its host. */
function detailsOf({ url, events, active }: EndpointChange): Details {
  return {
    ...(url === undefined ? {} : { host: hostOf(url) }),
    ...(events === undefined ? {} : { events: events.join(', ') }),
    ...(active === undefined ? {} : { enabled: active }),
  };
}
