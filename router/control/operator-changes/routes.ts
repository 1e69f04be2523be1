/** Routes by which an operator allows changes in a customer's organization, and ends them. */
import { AllowedChanges, NewAllowedChanges } from '../../../shared/api/operator-changes.ts';
import { mintId } from '../../../shared/ids.ts';
import { CHANGES_ALLOWED_MINUTES } from '../../../shared/operator-changes.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { OperatorChangesRow } from '../../store/schema/people.ts';
import { noLongerAdministrator, personOf } from '../access/gate.ts';
import { type Api, isoInstant, noSuch, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { allowChanges, endChanges, findAllowedChanges } from './procedures.ts';

export type OperatorChangesParts = Pick<ControlParts, 'store' | 'clock' | 'random'>;

const PATH = '/organizations/:organization/operator-changes';
const ALLOWED_MS = CHANGES_ALLOWED_MINUTES * 60 * 1000;

const REFUSED = {
  unknown: () => noSuch('organization'),
  allowed: () => new Refused('conflict', 'You have allowed changes here already.'),
  many: () =>
    new Refused('conflict', 'You have allowed changes in too many organizations: end some first.'),
  locked_out: noLongerAdministrator,
} as const;

export function operatorChangesRoutes(api: Api, parts: OperatorChangesParts): void {
  const { store, clock } = parts;
  allowRoute(api, parts);
  api.get(
    PATH,
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get whether you have allowed changes in an organization, and until when',
        tags: ['operators'],
        params: OrganizationPath,
        response: { 200: AllowedChanges },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const of = { organization, person: personOf(request), now: clock.now() };
      return shown(organization, await store.call(findAllowedChanges, of));
    },
  );

  api.delete(
    PATH,
    {
      config: { access: 'operator', action: 'operator.end-changes' },
      schema: {
        summary: 'End the changes that you have allowed in an organization',
        tags: ['operators'],
        params: OrganizationPath,
        response: { 200: AllowedChanges },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const entry = request.auditEntry({ organization, target: organization });
      const of = { organization, person: personOf(request), now: clock.now() };
      const answer = await store.call(endChanges, { ...of, entry });
      if (answer === 'none') {
        throw new Refused('conflict', 'Changes are not allowed here: there is nothing to end.');
      }
      return shown(organization, null);
    },
  );
}

function allowRoute(api: Api, { store, clock, random }: OperatorChangesParts): void {
  api.post(
    PATH,
    {
      config: { access: 'operator', action: 'operator.allow-changes' },
      schema: {
        summary: `Allow yourself to change an organization for ${CHANGES_ALLOWED_MINUTES} minutes`,
        description:
          "Until then, your sessions only read what is the organization's: changes are refused " +
          'with `changes_not_allowed`. Tokens of operators, and operators who are members of the ' +
          "organization, need no permission. The reason is in the organization's audit log.",
        tags: ['operators'],
        params: OrganizationPath,
        body: NewAllowedChanges,
        response: { 201: AllowedChanges },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { reason } = request.body;
      const now = clock.now();
      const ends = now + ALLOWED_MS;
      const row: OperatorChangesRow = {
        organization,
        person: personOf(request),
        reason,
        begun: milliseconds(now),
        ends: milliseconds(ends),
      };
      const details = { reason, until: isoInstant(ends) };
      const answer = await store.call(allowChanges, {
        row,
        expiry: { id: mintId('audit', clock, random), now },
        entry: request.auditEntry({ organization, target: organization, details }),
      });
      if (answer !== 'done') throw REFUSED[answer]();
      return reply.code(201).send(shown(organization, row));
    },
  );
}

function shown(organization: string, row: OperatorChangesRow | null): AllowedChanges {
  const allowed = row && {
    reason: row.reason,
    begun: isoInstant(row.begun),
    until: isoInstant(row.ends),
  };
  return { organization, allowed };
}
