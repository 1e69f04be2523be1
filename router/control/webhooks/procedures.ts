/** Webhook endpoints as people manage them. */
import type { OrganizationId, PersonId, WebhookId } from '../../../shared/ids.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { WebhookEndpointRow } from '../../store/schema/webhooks.ts';
import { audited, type Details } from '../audit/record.ts';
import { memberOf } from '../members/current.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { hostOf, lockEndpoint } from './attempts.ts';
import { forgetDeliveries, giveUpWaiting } from './queue.ts';

/** Of an organization. */
export const ENDPOINTS_MAX = 10;

/**
 * An endpoint without its secrets. `maker_name` is null when the maker is unknown or their data has
 * been erased.
 */
export type ListedWebhook = Omit<WebhookEndpointRow, 'secret' | 'former_secret' | 'turn'> &
  Readonly<{ maker_name: string | null }>;

export type NewEndpoint = Readonly<{
  id: WebhookId;
  organization: OrganizationId;
  url: string;
  events: readonly string[];
  /** Sealed. */
  secret: string;
  /** Stored only if they are a member: customers do not see which operator it was. */
  maker: PersonId | null;
  /** ms since the epoch. */
  created: number;
}>;

/** `full`: the organization has reached its limit of endpoints. */
const createWebhook = writeProcedure<NewEndpoint, 'done' | 'unknown' | 'full'>(
  'createWebhook',
  async (db, { maker, events, created, ...endpoint }) => {
    const { organization } = endpoint;
    if (!(await lockLiveOrganization(db, organization))) return 'unknown';
    const { count } = await db
      .selectFrom('webhook_endpoints')
      .select((row) => row.fn.countAll<bigint | string>().as('count'))
      .where('organization', '=', organization)
      .executeTakeFirstOrThrow();
    if (Number(count) >= ENDPOINTS_MAX) return 'full';
    const isMember = maker !== null && (await memberOf(db, organization, maker)) !== null;
    await db
      .insertInto('webhook_endpoints')
      .values({
        ...endpoint,
        events: events.join(' '),
        former_secret: null,
        former_until: null,
        active: 1n,
        disabled: null,
        failing_since: null,
        created_by: isMember ? maker : null,
        created: milliseconds(created),
        turn: milliseconds(created),
      })
      .execute();
    return 'done';
  },
);

export type OfWebhook = Readonly<{ organization: OrganizationId; webhook: WebhookId }>;

/** Absent fields stay unchanged. */
export type EndpointChange = Readonly<{
  url?: string | undefined;
  events?: readonly string[] | undefined;
  active?: boolean | undefined;
}>;

/**
 * Changes an endpoint. When it is turned off, what waits for it is given up. When it is turned on,
 * it counts as one that has not failed yet.
 */
const changeWebhook = writeProcedure<
  OfWebhook & Readonly<{ change: EndpointChange; now: number }>,
  'done' | 'unknown'
>('changeWebhook', async (db, { organization, webhook, change, now }) => {
  const before = await lockOwn(db, { organization, webhook });
  if (!before) return 'unknown';
  const { url, events, active } = change;
  const turnsOn = active === true && before.active === 0n;
  await db
    .updateTable('webhook_endpoints')
    .set({
      active: active === undefined ? before.active : active ? 1n : 0n,
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: events.join(' ') }),
      ...(turnsOn ? { disabled: null, failing_since: null } : {}),
    })
    .where('id', '=', webhook)
    .execute();
  if (active === false) await giveUpWaiting(db, webhook, now);
  return 'done';
});

/** Deletes an endpoint with its deliveries. */
const deleteWebhook = writeProcedure<OfWebhook, 'done' | 'unknown'>(
  'deleteWebhook',
  async (db, own) => {
    if (!(await lockOwn(db, own))) return 'unknown';
    const deliveries = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'attempts'])
      .where('webhook', '=', own.webhook)
      .execute();
    await forgetDeliveries(db, deliveries);
    await db.deleteFrom('webhook_endpoints').where('id', '=', own.webhook).execute();
    return 'done';
  },
);

/** Replaces the secret. The one before signs as well until `formerUntil` (ms since the epoch). */
const rotateWebhookSecret = writeProcedure<
  OfWebhook & Readonly<{ secret: string; formerUntil: number }>,
  'done' | 'unknown'
>('rotateWebhookSecret', async (db, { organization, webhook, secret, formerUntil }) => {
  const before = await lockOwn(db, { organization, webhook });
  if (!before) return 'unknown';
  await db
    .updateTable('webhook_endpoints')
    .set({ secret, former_secret: before.secret, former_until: milliseconds(formerUntil) })
    .where('id', '=', webhook)
    .execute();
  return 'done';
});

export const createWebhookAudited = audited(createWebhook);
export const changeWebhookAudited = audited(changeWebhook, undefined, settingsOf);
export const deleteWebhookAudited = audited(deleteWebhook);
export const rotateWebhookSecretAudited = audited(rotateWebhookSecret);

/** The values that the audit log has of an endpoint. */
async function settingsOf(db: Db, own: OfWebhook): Promise<Details | null> {
  const row = await lockOwn(db, own);
  if (!row) return null;
  const { url, events, active } = row;
  return { host: hostOf(url), events: events.replaceAll(' ', ', '), enabled: active === 1n };
}

/** For procedures: locks an endpoint of an organization. */
export async function lockOwn(
  db: Db,
  { organization, webhook }: OfWebhook,
): Promise<WebhookEndpointRow | null> {
  const row = await lockEndpoint(db, webhook);
  return row?.organization === organization ? row : null;
}

function listed(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('webhook_endpoints as w')
    .leftJoin('people as p', (join) =>
      join.onRef('p.id', '=', 'w.created_by').on('p.erased', 'is', null),
    )
    .select([
      'w.id',
      'w.organization',
      'w.url',
      'w.events',
      'w.active',
      'w.disabled',
      'w.failing_since',
      'w.former_until',
      'w.created_by',
      'w.created',
      'p.name as maker_name',
    ])
    .where('w.organization', '=', organization);
}

export const findWebhook = readProcedure<OfWebhook, ListedWebhook | null>(
  'findWebhook',
  async (db, { organization, webhook }) =>
    (await listed(db, organization).where('w.id', '=', webhook).executeTakeFirst()) ?? null,
);

/** Lists the endpoints, newest first. */
export const listWebhooks = readProcedure<
  ListQuery<WebhookId> & Readonly<{ organization: OrganizationId }>,
  Page<ListedWebhook, WebhookId>
>('listWebhooks', (db, { organization, ...asked }) =>
  readPage(listed(db, organization), 'w.id', asked),
);
