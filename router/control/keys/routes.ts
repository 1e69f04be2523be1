import { KeyIdText } from '../../../shared/api/ids.ts';
import { CreatedKey, Deleted, Key, KeyChange, KeyPage, NewKey } from '../../../shared/api/keys.ts';
import { KeyCursor, pageQuery } from '../../../shared/api/pages.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { KeyLimits } from '../../ledger/keys.ts';
import { limitsOf } from '../../ledger/limits.ts';
import type { Store } from '../../store/store.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { limitsWanted, shownLimits } from '../limits.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import { type MintParts, mintKey } from './mint.ts';
import {
  createKeyAudited,
  findListedKey,
  type ListedKey,
  listKeys,
  revokeKeyAudited,
  setKeyLimitsAudited,
} from './procedures.ts';

export type KeyParts = MintParts & Readonly<{ store: Pick<Store, 'call'> }>;

const KeyPath = OrganizationPath.extend({ key: KeyIdText });

export function keyRoutes(api: Api, parts: KeyParts): void {
  const { store } = parts;

  api.post(
    '/organizations/:organization/keys',
    {
      config: { access: { organization: 'keys' }, action: 'key.create' },
      schema: {
        summary: 'Create an API key; its value is in this answer alone',
        tags: ['keys'],
        params: OrganizationPath,
        body: NewKey,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { name, ...limits } = request.body;
      const wanted = { organization, name, member: null, ...keyLimitsWanted(limits) };
      const { value, row } = mintKey(parts, wanted);
      const mark = request.mark({ target: row.id, details: { name } });
      known(await store.call(createKeyAudited, { input: row, mark }), 'organization');
      const listed = await store.call(findListedKey, { organization, key: row.id });
      return reply.code(201).send({ ...shown(found(listed, 'key')), key: value });
    },
  );

  api.get(
    '/organizations/:organization/keys',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'API keys, revoked ones included',
        tags: ['keys'],
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
    {
      config: { access: { organization: 'keys' }, action: 'key.change' },
      schema: {
        summary: 'Change what a key may ask for and spend',
        tags: ['keys'],
        params: KeyPath,
        body: KeyChange,
        response: { 200: Key },
      },
    },
    async (request) => {
      const { organization, key } = request.params;
      const input = { organization, key, ...keyLimitsWanted(request.body) };
      const mark = request.mark({ target: key });
      known(await store.call(setKeyLimitsAudited, { input, mark }), 'key');
      return shown(found(await store.call(findListedKey, { organization, key }), 'key'));
    },
  );

  api.post(
    '/organizations/:organization/keys/:key/revoke',
    {
      config: { access: { organization: 'keys' }, action: 'key.revoke' },
      schema: {
        summary: 'Revoke a key; it stays listed',
        tags: ['keys'],
        params: KeyPath,
        response: { 200: Key },
      },
    },
    async (request) => {
      const { organization, key } = request.params;
      const input = { organization, key, to: 'revoked' } as const;
      const mark = request.mark({ target: key });
      known(await store.call(revokeKeyAudited, { input, mark }), 'key');
      return shown(found(await store.call(findListedKey, { organization, key }), 'key'));
    },
  );

  api.delete(
    '/organizations/:organization/keys/:key',
    {
      config: { access: { organization: 'keys' }, action: 'key.delete' },
      schema: {
        summary: 'Delete a key; its usage stays',
        tags: ['keys'],
        params: KeyPath,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { organization, key } = request.params;
      const input = { organization, key, to: 'deleted' } as const;
      const mark = request.mark({ target: key });
      known(await store.call(revokeKeyAudited, { input, mark }), 'key');
      return { id: key, deleted: true as const };
    },
  );
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
