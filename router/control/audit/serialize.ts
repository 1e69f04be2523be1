/** Entries of the audit log as the API shows them, in JSON and in CSV. */
import type { AuditEntry } from '../../../shared/api/audit.ts';
import { isoInstant } from '../api.ts';
import type { ListedEntry } from './list.ts';
import type { Details } from './record.ts';
import { sentenceOf } from './sentences.ts';

type Shown = Omit<ListedEntry, 'address'> & Readonly<{ address: string | null }>;

export function shownToOperator(row: ListedEntry): AuditEntry {
  return shown(row);
}

/** Customers may see that an operator acted, but not which operator, from which address, nor why. */
export function shownToCustomer(row: ListedEntry): AuditEntry {
  if (row.actor_kind !== 'operator') return shown({ ...row, reason: null });
  return shown({ ...row, actor: null, who: null, address: null, reason: null });
}

function shown(row: Shown): AuditEntry {
  const { target, targetName, reason } = row;
  const actor = { kind: row.actor_kind, id: row.actor, name: row.who?.name ?? null };
  const details = JSON.parse(row.details) as Details;
  const before = row.before === null ? null : (JSON.parse(row.before) as Details);
  return {
    id: row.id,
    organization: row.organization,
    organization_name: row.organizationName,
    actor: { ...actor, email: row.who?.email ?? null },
    action: row.action,
    summary: sentenceOf(row.action, {
      actor,
      target,
      targetName,
      details,
      before,
      reason,
      created: Number(row.created),
    }),
    target,
    target_name: targetName,
    target_exists: row.targetExists,
    details: reason === null ? details : { ...details, reason },
    before,
    address: row.address || null,
    request_id: row.request,
    created: isoInstant(row.created),
  };
}

export const CSV_COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | null>> = {
  created: ({ created }) => created,
  summary: ({ summary }) => summary,
  action: ({ action }) => action,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  actor_email: ({ actor }) => actor.email,
  organization: ({ organization }) => organization,
  organization_name: ({ organization_name }) => organization_name,
  target: ({ target }) => target,
  target_name: ({ target_name }) => target_name,
  before: ({ before }) => before && JSON.stringify(before),
  details: ({ details }) => JSON.stringify(details),
  address: ({ address }) => address,
  request_id: ({ request_id }) => request_id,
  id: ({ id }) => id,
};
