/** The export of all data of an organization. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Api, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { exportLines } from './lines.ts';

export type ExportParts = Pick<ControlParts, 'store' | 'clock'>;

/**
 * How many exports of one organization may run at once on this router. Each of them reads all of
 * its data.
 */
export const AT_ONCE_MAX = 2;
const RETRY_AFTER_S = 10;

export function exportRoutes(api: Api, { store, clock }: ExportParts): void {
  const running = new Map<OrganizationId, number>();

  async function* counted(organization: OrganizationId): AsyncGenerator<string, void, void> {
    running.set(organization, (running.get(organization) ?? 0) + 1);
    try {
      yield* exportLines(store, { organization, now: clock.now() });
    } finally {
      const rest = (running.get(organization) ?? 1) - 1;
      if (rest > 0) running.set(organization, rest);
      else running.delete(organization);
    }
  }

  api.get(
    '/organizations/:organization/export',
    {
      config: { access: { organization: 'settings' } },
      schema: {
        summary: 'Export all data of the organization, as NDJSON',
        description:
          'Each line is a JSON document with a `type`: export, organization, credit, member, ' +
          'invitation, key, token, rate, transfer, usage, refusal, refusal_count, audit. The last line has the type ' +
          '`end` and the number of lines. An export without it is incomplete.',
        tags: ['organizations'],
        params: OrganizationPath,
        response: {
          200: { content: { 'application/x-ndjson': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      if ((running.get(organization) ?? 0) >= AT_ONCE_MAX) {
        const message =
          'Too many exports of this organization are running: wait until one has ended.';
        throw new Refused('rate_limited', message, undefined, RETRY_AFTER_S);
      }
      // Read at most one page ahead of the client.
      const lines = Readable.from(counted(organization), { highWaterMark: 1 });
      return reply
        .type('application/x-ndjson')
        .header('content-disposition', `attachment; filename="${organization}.ndjson"`)
        .send(lines as never);
    },
  );
}
