import { KeyIdText } from '../../../shared/api/ids.ts';
import { CreatedKey, Deleted, Key, KeyChange, KeyPage, NewKey } from '../../../shared/api/keys.ts';
import { KeyCursor, pageQuery } from '../../../shared/api/pages.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type KeyLimits, revokeKey, setKeyLimits } from '../../ledger/keys.ts';
import { limitsOf } from '../../ledger/limits.ts';
import type { Store } from '../../store/store.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { limitsWanted, shownLimits } from '../limits.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import { type MintParts, mintKey } from './mint.ts';
import { createKey, findListedKey, type ListedKey, listKeys } from './procedures.ts';

export type KeyParts = MintParts & Readonly<{ store: Pick<Store, 'call'> }>;

const KeyPath = OrganizationPath.extend({ key: KeyIdText });

export function keyRoutes(api: Api, parts: KeyParts): void {
  const { store } = parts;

  api.post(
    '/organizations/:organization/keys',
    { schema: { params: OrganizationPath, body: NewKey, response: { 201: CreatedKey } } },
    async ({ params: { organization }, body: { name, ...limits } }, reply) => {
      const wanted = { organization, name, member: null, ...keyLimitsWanted(limits) };
      const { value, row } = mintKey(parts, wanted);
      known(await store.call(createKey, row), 'organization');
      const listed = await store.call(findListedKey, { organization, key: row.id });
      return reply.code(201).send({ ...shown(found(listed, 'key')), key: value });
    },
  );

  api.get(
    '/organizations/:organization/keys',
    {
      schema: {
        params: OrganizationPath,
        querystring: pageQuery(KeyCursor),
        response: { 200: KeyPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const page = await store.call(listKeys, { organization, limit, after });
      return answerPage(found(page, 'organization'), shown);
    },
  );

  api.patch(
    '/organizations/:organization/keys/:key',
    { schema: { params: KeyPath, body: KeyChange, response: { 200: Key } } },
    async ({ params: { organization, key }, body }) => {
      const change = { organization, key, ...keyLimitsWanted(body) };
      known(await store.call(setKeyLimits, change), 'key');
      return shown(found(await store.call(findListedKey, { organization, key }), 'key'));
    },
  );

  api.post(
    '/organizations/:organization/keys/:key/revoke',
    { schema: { params: KeyPath, response: { 200: Key } } },
    async ({ params: { organization, key } }) => {
      await end(store, organization, key, 'revoked');
      return shown(found(await store.call(findListedKey, { organization, key }), 'key'));
    },
  );

  api.delete(
    '/organizations/:organization/keys/:key',
    { schema: { params: KeyPath, response: { 200: Deleted } } },
    async ({ params: { organization, key } }) => {
      await end(store, organization, key, 'deleted');
      return { id: key, deleted: true as const };
    },
  );
}

async function end(
  store: KeyParts['store'],
  organization: OrganizationId,
  key: KeyId,
  to: 'revoked' | 'deleted',
): Promise<void> {
  known(await store.call(revokeKey, { organization, key, to }), 'key');
}

function known(answer: 'done' | 'unknown', what: string): void {
  if (answer === 'unknown') throw new Refused('not_found', `There is no such ${what}.`);
}

function keyLimitsWanted({ limits, monthly_cap }: KeyChange): KeyLimits {
  return { limits: limitsWanted(limits), monthlyCap: monthly_cap };
}

function shown(row: ListedKey): Key {
  const { id, name, label, state, monthly_cap, created, expires, last_used } = row;
  return {
    id,
    name,
    label,
    state: state === 'active' ? 'active' : 'revoked',
    limits: shownLimits(limitsOf(row)),
    monthly_cap: monthly_cap === null ? null : formatUsd(monthly_cap),
    created: isoInstant(created),
    expires: expires === null ? null : isoInstant(expires),
    last_used: last_used === null ? null : isoInstant(last_used),
  };
}
