/** The audit log, for the org-admins of an organization and for operators. */
import {
  type AuditEntry,
  AuditPage,
  AuditQuery,
  WholeAuditQuery,
} from '../../../shared/api/audit.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { actingOf } from '../access/gate.ts';
import { type Api, isoInstant } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type AuditFilter, listAudit, type ListedEntry } from './list.ts';
import type { Details } from './record.ts';

export type AuditParts = Pick<ControlParts, 'store'>;

export function auditRoutes(api: Api, { store }: AuditParts): void {
  api.get(
    '/organizations/:organization/audit',
    {
      config: { access: { organization: 'audit' } },
      schema: {
        summary: 'The audit log of the organization: who changed what and from where, newest first',
        tags: ['audit'],
        params: OrganizationPath,
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
    },
    async (request) => {
      const { organization, role } = actingOf(request);
      const page = await store.call(listAudit, filterOf(organization, request.query));
      return answerPage(page, (row) => shown(role === 'operator' ? row : withoutOperator(row)));
    },
  );

  api.get(
    '/audit',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'The audit log of all organizations and of the platform, newest first',
        tags: ['audit'],
        querystring: WholeAuditQuery,
        response: { 200: AuditPage },
      },
    },
    async ({ query: { organization = null, ...query } }) =>
      answerPage(await store.call(listAudit, filterOf(organization, query)), shown),
  );
}

function filterOf(organization: OrganizationId | null, query: AuditQuery): AuditFilter {
  const { limit, after = null, actor = null, action = null, from = null, until = null } = query;
  return { organization, limit, after, actor, action, from, until };
}

type Shown = Omit<ListedEntry, 'address'> & Readonly<{ address: string | null }>;

/** Customers may see that an operator acted, but not which operator, nor from which address. */
function withoutOperator(row: ListedEntry): Shown {
  if (row.actor_kind !== 'operator') return row;
  return { ...row, actor: null, name: null, email: null, address: null };
}

function shown(row: Shown): AuditEntry {
  return {
    id: row.id,
    organization: row.organization,
    actor: { kind: row.actor_kind, id: row.actor, name: row.name, email: row.email },
    action: row.action,
    target: row.target,
    details: JSON.parse(row.details) as Details,
    address: row.address || null,
    request_id: row.request,
    created: isoInstant(row.created),
  };
}
