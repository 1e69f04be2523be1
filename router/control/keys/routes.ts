import { KeyIdText } from '../../../shared/api/ids.ts';
import { CreatedKey, Deleted, Key, KeyChange, KeyPage, NewKey } from '../../../shared/api/keys.ts';
import { KeyCursor, pageQuery } from '../../../shared/api/pages.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { KeyChange as StoredChange } from '../../identity/keys.ts';
import { modelsOf } from '../../ledger/allowed-models.ts';
import { limitsOf } from '../../ledger/limits.ts';
import { personOrNull } from '../access/gate.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused, usdOrNull } from '../api.ts';
import { modelDetail } from '../audit/allowed-models.ts';
import type { Details } from '../audit/record.ts';
import { expiryWanted } from '../expiry.ts';
import { capDetails, limitDetails, limitsWanted, shownLimits } from '../limits.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type MintParts, mintKey } from './mint.ts';
import {
  changeKeyAudited,
  createKeyAudited,
  findListedKey,
  type ListedKey,
  listKeys,
  endKeyAudited,
} from './procedures.ts';

export type KeyParts = MintParts & Pick<ControlParts, 'store'>;

const KeyPath = OrganizationPath.extend({ key: KeyIdText });

export function keyRoutes(api: Api, parts: KeyParts): void {
  const { store, clock } = parts;
  const read = async (organization: OrganizationId, key: KeyId): Promise<Key> => {
    const now = clock.now();
    return shown(found(await store.call(findListedKey, { organization, key, now }), 'key'), now);
  };

  api.post(
    '/organizations/:organization/keys',
    {
      config: { access: { organization: 'keys' }, action: 'key.create' },
      schema: {
        summary: 'Create an API key; only this response contains its value',
        tags: ['keys'],
        params: OrganizationPath,
        body: NewKey,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { name } = request.body;
      const change = changeWanted(request.body, clock.now());
      const wanted = { ...change, organization, name, member: null };
      const { value, row } = mintKey(parts, wanted);
      const entry = request.auditEntry({ target: row.id, details: { name } });
      const maker = personOrNull(request);
      const answer = await store.call(createKeyAudited, { input: { key: row, maker }, entry });
      if (answer === 'full') {
        const most = `An organization has at most ${limits.keysPerOrganizationMax} API keys`;
        throw new Refused('conflict', `${most}: delete one that is not needed any more.`);
      }
      known(answer, 'organization');
      return reply.code(201).send({ ...(await read(organization, row.id)), key: value });
    },
  );

  api.get(
    '/organizations/:organization/keys',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List API keys, including revoked ones',
        tags: ['keys'],
        params: OrganizationPath,
        querystring: pageQuery(KeyCursor),
        response: { 200: KeyPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const now = clock.now();
      const page = await store.call(listKeys, { organization, limit, after, now });
      return answerPage(found(page, 'organization'), (row) => shown(row, now));
    },
  );

  api.get(
    '/organizations/:organization/keys/:key',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get an API key',
        tags: ['keys'],
        params: KeyPath,
        response: { 200: Key },
      },
    },
    ({ params: { organization, key } }) => read(organization, key),
  );

  api.patch(
    '/organizations/:organization/keys/:key',
    {
      config: { access: { organization: 'keys' }, action: 'key.change' },
      schema: {
        summary: "Change a key's name, expiry, limits, caps or allowed models",
        tags: ['keys'],
        params: KeyPath,
        body: KeyChange,
        response: { 200: Key },
      },
    },
    async (request) => {
      const { organization, key } = request.params;
      const input = { organization, key, ...changeWanted(request.body, clock.now()) };
      const entry = request.auditEntry({ target: key, details: detailsOf(request.body) });
      known(await store.call(changeKeyAudited, { input, entry }), 'key');
      return await read(organization, key);
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
      const by = personOrNull(request);
      const input = { organization, key, to: 'revoked', by, now: clock.now() } as const;
      const entry = request.auditEntry({ target: key });
      known(await store.call(endKeyAudited, { input, entry }), 'key');
      return await read(organization, key);
    },
  );

  api.delete(
    '/organizations/:organization/keys/:key',
    {
      config: { access: { organization: 'keys' }, action: 'key.delete' },
      schema: {
        summary: 'Delete a key; its usage is kept',
        tags: ['keys'],
        params: KeyPath,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { organization, key } = request.params;
      const by = personOrNull(request);
      const input = { organization, key, to: 'deleted', by, now: clock.now() } as const;
      const entry = request.auditEntry({ target: key });
      known(await store.call(endKeyAudited, { input, entry }), 'key');
      return { id: key, deleted: true as const };
    },
  );
}

function known(answer: 'done' | 'unknown', what: string): void {
  if (answer === 'unknown') throw noSuch(what);
}

function detailsOf(change: KeyChange): Details {
  const { name, expires, limits: own, monthly_cap, daily_cap, allowed_models: models } = change;
  return {
    ...(name === undefined ? {} : { name }),
    ...(expires === undefined ? {} : { expires: instantOrNull(expires) }),
    ...capDetails({ monthly_cap, daily_cap }),
    ...limitDetails(own),
    ...(models === undefined ? {} : { allowed_models: modelDetail(models) }),
  };
}

function changeWanted(change: KeyChange, now: number): StoredChange {
  return {
    name: change.name,
    expires: expiryWanted(change.expires, now),
    limits: limitsWanted(change.limits),
    monthlyCap: change.monthly_cap,
    dailyCap: change.daily_cap,
    allowedModels: change.allowed_models,
  };
}

function shown(row: ListedKey, now: number): Key {
  const { id, name, label, maker, revoker, monthly_cap, daily_cap, created, expires } = row;
  const { month, today, total } = row.spend;
  return {
    id,
    name,
    label,
    state: stateOf(row, now),
    created_by: maker,
    created_by_other: row.otherMaker,
    limits: shownLimits(limitsOf(row)),
    monthly_cap: usdOrNull(monthly_cap),
    daily_cap: usdOrNull(daily_cap),
    allowed_models: modelsOf(row.allowed_models),
    spend: { today: formatUsd(today), month: formatUsd(month), total: formatUsd(total) },
    created: isoInstant(created),
    expires: instantOrNull(expires),
    revoked: instantOrNull(row.revoked),
    revoked_by: revoker,
    revoked_by_other: row.otherRevoker,
    last_used: instantOrNull(row.last_used),
  };
}

function stateOf({ state, expires }: ListedKey, now: number): Key['state'] {
  if (state !== 'active') return 'revoked';
  return expires !== null && Number(expires) <= now ? 'expired' : 'active';
}
