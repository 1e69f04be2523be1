/** The audit log, for the org-admins of an organization and for operators. */
import type { FastifyReply } from 'fastify';
import {
  type AuditEntry,
  AuditPage,
  AuditQuery,
  WholeAuditQuery,
} from '../../../shared/api/audit.ts';
import { FILTER_VALUES_MAX } from '../../../shared/bounds/filter-values.ts';
import { actingOf } from '../access/gate.ts';
import type { Api } from '../api.ts';
import { CSV_ROWS, itemsFrom, sendPages } from '../csv-file.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type AuditFilter, listAudit, type ListedEntry } from './list.ts';
import { CSV_COLUMNS, shownToCustomer, shownToOperator } from './serialize.ts';

export type AuditParts = Pick<ControlParts, 'store'>;

const CSV_HAS_ALL = 'The CSV has all entries from `after` on.';
const SEVERAL = `take up to ${FILTER_VALUES_MAX} values, each as a parameter of its own: \`action=key&action=member\`.`;

export function auditRoutes(api: Api, { store }: AuditParts): void {
  api.get(
    '/organizations/:organization/audit',
    {
      config: { access: { organization: 'audit' } },
      schema: {
        summary: 'List the audit log; it says who changed what and from where, newest first',
        description: `${CSV_HAS_ALL} \`actor\`, \`action\` and \`except\` ${SEVERAL}`,
        tags: ['audit'],
        params: OrganizationPath,
        querystring: AuditQuery,
        response: { 200: inJsonOrCsv(AuditPage) },
      },
    },
    async (request, reply) => {
      const { organization, role } = actingOf(request);
      const showsOperators = role === 'operator';
      const shown = showsOperators ? shownToOperator : shownToCustomer;
      const filter = filterOf(request.query, {
        organizations: [organization],
        account: null,
        showsOperators,
      });
      return await answer(reply, filter, request.query.format, shown);
    },
  );

  api.get(
    '/audit',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the audit log of all organizations and of the platform, newest first',
        description: `${CSV_HAS_ALL} \`actor\`, \`action\`, \`except\` and \`organization\` ${SEVERAL}`,
        tags: ['audit'],
        querystring: WholeAuditQuery,
        response: { 200: inJsonOrCsv(AuditPage) },
      },
    },
    async ({ query: { organization: organizations = null, account = null, ...query } }, reply) =>
      await answer(
        reply,
        filterOf(query, { organizations, account, showsOperators: true }),
        query.format,
        shownToOperator,
      ),
  );

  async function answer(
    reply: FastifyReply,
    filter: AuditFilter,
    format: AuditQuery['format'],
    shown: (row: ListedEntry) => AuditEntry,
  ) {
    if (format === 'json') return answerPage(await store.call(listAudit, filter), shown);
    const read = (after: AuditFilter['after']) =>
      store.call(listAudit, { ...filter, after, limit: CSV_ROWS });
    return sendPages(reply, 'audit', CSV_COLUMNS, itemsFrom(filter.after, read, shown));
  }
}

function filterOf(
  query: AuditQuery,
  of: Pick<AuditFilter, 'organizations' | 'account' | 'showsOperators'>,
): AuditFilter {
  const { limit, after = null, from = null, until = null } = query;
  const { actor: actors = null, action: actions = null, except = null, target = null } = query;
  return { ...of, limit, after, actors, actions, except, target, from, until };
}
