import type { FastifyRequest } from 'fastify';
import { ManagementTokenIdText } from '../../../shared/api/ids.ts';
import { Deleted } from '../../../shared/api/keys.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { CreatedToken, NewToken, Token, TokenPage } from '../../../shared/api/tokens.ts';
import type { PersonId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { personOrNull } from '../access/gate.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused } from '../api.ts';
import { expiryWanted } from '../expiry.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { mintManagementToken, type TokenMintParts } from './mint.ts';
import {
  createTokenAudited,
  findToken,
  type ListedToken,
  listTokens,
  revokeTokenAudited,
} from './procedures.ts';

export type TokenParts = TokenMintParts & Pick<ControlParts, 'store'>;

const TokenPath = OrganizationPath.extend({ token: ManagementTokenIdText });

export function tokenRoutes(api: Api, parts: TokenParts): void {
  const { store, clock } = parts;

  api.post(
    '/organizations/:organization/tokens',
    {
      config: { access: { organization: 'settings' }, action: 'token.create' },
      schema: {
        summary: 'Create a management token; only this response contains its value',
        tags: ['tokens'],
        params: OrganizationPath,
        body: NewToken,
        response: { 201: CreatedToken },
      },
    },
    async (request, reply) => {
      const maker = makerOf(request);
      const { organization } = request.params;
      const { name, role } = request.body;
      const now = clock.now();
      const expires = expiryWanted(request.body.expires, now) ?? null;
      const { value, row } = mintManagementToken(parts, {
        organization,
        name,
        role,
        maker,
        expires,
      });
      const entry = request.auditEntry({ target: row.id, details: { name, role } });
      const answer = await store.call(createTokenAudited, { input: row, entry });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'full') {
        const most = `An organization has at most ${limits.managementTokensPerOrganizationMax} tokens`;
        throw new Refused('conflict', `${most}: revoke one that is not needed any more.`);
      }
      const made = await store.call(findToken, { organization, token: row.id });
      return reply.code(201).send({ ...shown(found(made, 'token'), now), token: value });
    },
  );

  api.get(
    '/organizations/:organization/tokens',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List management tokens, without revoked ones',
        tags: ['tokens'],
        params: OrganizationPath,
        querystring: pageQuery(ManagementTokenIdText),
        response: { 200: TokenPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const now = clock.now();
      const page = await store.call(listTokens, { organization, limit, after });
      return answerPage(page, (row) => shown(row, now));
    },
  );

  api.delete(
    '/organizations/:organization/tokens/:token',
    {
      config: { access: { organization: 'settings' }, action: 'token.revoke' },
      schema: {
        summary: 'Revoke a management token; it is refused from then on',
        tags: ['tokens'],
        params: TokenPath,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      makerOf(request);
      const { organization, token } = request.params;
      const answer = await store.call(revokeTokenAudited, {
        input: { organization, token, at: clock.now() },
        entry: request.auditEntry({ target: token }),
      });
      if (answer === 'unknown') throw noSuch('token');
      return { id: token, deleted: true as const };
    },
  );
}

/**
 * Returns the person who sends the request. Refuses a management token: with a stolen token,
 * somebody could otherwise create another token, which would stay valid when the stolen one is
 * revoked.
 */
function makerOf(request: FastifyRequest): PersonId {
  const person = personOrNull(request);
  if (person === null) {
    throw new Refused(
      'forbidden',
      'A management token cannot create or revoke management tokens: a signed-in person must do it.',
    );
  }
  return person;
}

function shown(row: ListedToken, now: number): Token {
  const { id, name, role, created_by: person, created, expires, last_used } = row;
  return {
    id,
    name,
    role,
    state: expires !== null && Number(expires) <= now ? 'expired' : 'active',
    created_by: person && { person, name: row.maker_name },
    created: isoInstant(created),
    expires: instantOrNull(expires),
    last_used: instantOrNull(last_used),
  };
}
