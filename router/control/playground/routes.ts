import type { FastifyRequest } from 'fastify';
import { PlaygroundEnded, PlaygroundSession } from '../../../shared/api/playground.ts';
import type { PersonId } from '../../../shared/ids.ts';
import { personOrNull } from '../access/gate.ts';
import { type Api, isoInstant, noSuch, Refused } from '../api.ts';
import { type MintParts, mintKey } from '../keys/mint.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { endPlaygroundAudited, openPlaygroundAudited } from './procedures.ts';

export type PlaygroundParts = MintParts & Pick<ControlParts, 'store' | 'urls'>;

/** Long enough for a chat. A page that stays open requests another key. */
const KEY_LIVES_MS = 15 * 60_000;

export function playgroundRoutes(api: Api, parts: PlaygroundParts): void {
  const { store, clock, urls } = parts;

  api.post(
    '/organizations/:organization/playground/session',
    {
      config: { access: { organization: 'playground' }, action: 'playground.open' },
      schema: {
        summary: 'Create a key for 15 minutes, with which the browser calls the data plane',
        description:
          'Its usage has the source `playground`, belongs to the member, and is billed to the ' +
          'organization like any other.',
        tags: ['playground'],
        params: OrganizationPath,
        response: { 201: PlaygroundSession },
      },
    },
    async (request, reply) => {
      const person = playerOf(request);
      const { organization } = request.params;
      const expires = clock.now() + KEY_LIVES_MS;
      const { value, row } = mintKey(parts, {
        organization,
        name: 'Playground',
        member: null,
        source: 'playground',
        expires,
      });
      const answer = await store.call(openPlaygroundAudited, {
        input: { key: row, person },
        entry: request.auditEntry({ target: row.id }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'no_member') {
        throw new Refused('forbidden', 'Only members of the organization can use its playground.');
      }
      const base_url = urls.baseUrl(answer.region);
      reply.header('cache-control', 'no-store');
      return reply
        .code(201)
        .send({ id: row.id, key: value, expires: isoInstant(expires), base_url });
    },
  );

  api.delete(
    '/organizations/:organization/playground/session',
    {
      config: { access: { organization: 'playground' }, action: 'playground.end' },
      schema: {
        summary: 'End your playground keys, for example on signing out',
        tags: ['playground'],
        params: OrganizationPath,
        response: { 200: PlaygroundEnded },
      },
    },
    async (request) => {
      const input = { organization: request.params.organization, person: playerOf(request) };
      return {
        ended: await store.call(endPlaygroundAudited, { input, entry: request.auditEntry() }),
      };
    },
  );
}

function playerOf(request: FastifyRequest): PersonId {
  const person = personOrNull(request);
  if (person === null) {
    throw new Refused('forbidden', 'A management token cannot use the playground: use an API key.');
  }
  return person;
}
