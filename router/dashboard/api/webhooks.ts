/** Webhook endpoints, and what was delivered to them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  Delivery,
  DeliveryDetail,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookWithSecret as WithSecret,
} from '../../../shared/api/webhooks.ts';
import { now } from '../clock.ts';
import { get, type Page, type Sent, send } from './client.ts';
import { listQuery } from './lists.ts';
import type { WebhookSearch } from '../search.ts';
import { ofOrganization } from './organization.ts';

export type WebhookWithSecret = z.infer<typeof WithSecret>;

/** An attempt is often made within a second. */
const AGAIN_MS = 2_000;
/** How often the list of endpoints, and the newest delivery of each, are fetched again. */
export const LIST_AGAIN_MS = 10_000;

const pathTo = (organization: string, webhook: string) =>
  `/organizations/${organization}/webhooks/${webhook}`;

/** All endpoints: an organization has at most ten. */
export const webhooksQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'webhooks'),
    queryFn: ({ signal }) =>
      get<Page<Webhook>>(`/organizations/${organization}/webhooks`, {}, signal),
  });

export const webhookQuery = (organization: string, webhook: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'webhooks', webhook),
    queryFn: ({ signal }) => get<Webhook>(pathTo(organization, webhook), {}, signal),
  });

type Attempted = Pick<Delivery, 'state' | 'next_attempt'>;
type Deliveries = Readonly<{ pages: readonly Page<Delivery>[] }>;

/**
 * When deliveries are fetched again: soon if an attempt of one of them is due. Until its last attempt,
 * a delivery that fails waits for about a day. `at`: now, in ms since the epoch.
 */
export function deliveriesAgainMs(deliveries: readonly Attempted[], at: number): number {
  const isDue = ({ state, next_attempt: next }: Attempted) =>
    state === 'waiting' && next !== null && Date.parse(next) <= at + LIST_AGAIN_MS;
  return deliveries.some(isDue) ? AGAIN_MS : LIST_AGAIN_MS;
}

/** The previous rows stay visible while those of another filter are loading. */
export const deliveriesQuery = (organization: string, webhook: string, filter: WebhookSearch) => ({
  ...listQuery<Delivery>(
    ofOrganization(organization, 'webhooks', webhook, 'deliveries'),
    `${pathTo(organization, webhook)}/deliveries`,
    filter,
  ),
  refetchInterval: ({ state: { data } }: Readonly<{ state: { data?: Deliveries | undefined } }>) =>
    deliveriesAgainMs(data?.pages.flatMap((page) => page.data) ?? [], now()),
  placeholderData: keepPreviousData,
});

/**
 * The newest delivery, of those that are kept; null if there is none. It is not polled while the
 * endpoint is not active. The key has the endpoint's state, so that a change of it fetches again:
 * turning an endpoint off ends its deliveries.
 */
export const latestDeliveryQuery = (
  organization: string,
  { id, state: endpoint }: Pick<Webhook, 'id' | 'state'>,
) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'webhooks', id, 'deliveries', 'latest', endpoint),
    queryFn: async ({ signal }) => {
      const path = `${pathTo(organization, id)}/deliveries`;
      const { data } = await get<Page<Delivery>>(path, { limit: 1 }, signal);
      return data[0] ?? null;
    },
    refetchInterval: ({ state: { data } }) => {
      return endpoint === 'active' && deliveriesAgainMs(data ? [data] : [], now());
    },
  });

/** A delivery with its attempts. It is fetched again while another attempt is to follow. */
export const deliveryQuery = (organization: string, webhook: string, delivery: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'webhooks', webhook, 'deliveries', delivery),
    queryFn: ({ signal }) =>
      get<DeliveryDetail>(`${pathTo(organization, webhook)}/deliveries/${delivery}`, {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' && deliveriesAgainMs([data], now()),
  });

export function createWebhook(
  organization: string,
  body: Sent<typeof NewWebhook>,
): Promise<WebhookWithSecret> {
  return send('POST', `/organizations/${organization}/webhooks`, body);
}

export function changeWebhook(
  organization: string,
  webhook: string,
  body: Sent<typeof WebhookChange>,
): Promise<Webhook> {
  return send('PATCH', pathTo(organization, webhook), body);
}

export function deleteWebhook(organization: string, webhook: string): Promise<unknown> {
  return send('DELETE', pathTo(organization, webhook));
}

export function rotateSecret(organization: string, webhook: string): Promise<WebhookWithSecret> {
  return send('POST', `${pathTo(organization, webhook)}/rotate-secret`);
}

export function sendTest(organization: string, webhook: string): Promise<Delivery> {
  return send('POST', `${pathTo(organization, webhook)}/test`);
}

export function sendAgain(
  organization: string,
  webhook: string,
  delivery: string,
): Promise<Delivery> {
  return send('POST', `${pathTo(organization, webhook)}/deliveries/${delivery}/send-again`);
}
