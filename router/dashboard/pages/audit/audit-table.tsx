import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { cx } from '../../parts/class-names.ts';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { When } from '../../parts/shown.tsx';
import { plain, Table, Td } from '../../parts/list/table.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntrySentence } from './entry-sentence.tsx';

type AuditTableProps = Readonly<{
  /** The name of the table for screen readers. */
  label?: string;
  entries: readonly AuditEntry[];
  /** The entries are of several organizations. */
  withOrganization: boolean;
}>;

export function AuditTable({ label = 'Audit log', entries, withOrganization }: AuditTableProps) {
  const columns = [
    'Change',
    ...(withOrganization ? [plain('Organization')] : []),
    plain('Time'),
    'IP address',
  ];
  return (
    <Table label={label} columns={columns}>
      {entries.map((entry) => (
        <AuditRow
          key={entry.id}
          entry={entry}
          columns={columns.length}
          withOrganization={withOrganization}
        />
      ))}
    </Table>
  );
}

type AuditRowProps = Readonly<{ entry: AuditEntry; columns: number; withOrganization: boolean }>;

function AuditRow({ entry, columns, withOrganization }: AuditRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr
        className="cursor-pointer hover:bg-hover/50"
        onClick={opensOnClick(() => setOpen(!isOpen))}
      >
        <Td className="sm:min-w-64">
          <div className="-ml-1.5 flex items-start gap-0.5">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              aria-labelledby={`${id}-sentence`}
              onClick={() => setOpen(!isOpen)}
              className="shrink-0 rounded-md p-1 text-muted max-md:-ml-1.5 hover:bg-hover hover:text-ink"
            >
              <ChevronRight className={cx('size-4', isOpen && 'rotate-90')} aria-hidden />
            </button>
            <span
              id={`${id}-sentence`}
              className={cx('min-w-0 py-0.5 wrap-anywhere', isSignInOrOut(entry) && 'text-muted')}
            >
              <EntrySentence entry={entry} />
            </span>
          </div>
        </Td>
        {withOrganization && (
          <Td className="max-w-56">
            <Organization entry={entry} />
          </Td>
        )}
        <Td className="text-muted">
          <When at={entry.created} precision="seconds" />
        </Td>
        {/* A card has it among its details. */}
        <Td className="whitespace-nowrap text-muted max-md:hidden!">{entry.address ?? '–'}</Td>
      </tr>
      {isOpen && (
        <tr id={id} className="bg-sunken/40">
          <td colSpan={columns} className="px-5 py-4">
            <EntryDetails entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

/** They are many and change nothing. Muted, they do not hide the other entries. */
function isSignInOrOut({ action }: AuditEntry): boolean {
  return action === 'session.begin' || action === 'session.end';
}

function organizationOf({ organization, organization_name: name }: AuditEntry): string {
  return organization === null ? 'Platform' : (name ?? 'Deleted organization');
}

function Organization({ entry }: { entry: AuditEntry }) {
  const { organization } = entry;
  if (organization === null) return <span className="text-muted">{organizationOf(entry)}</span>;
  return (
    <Link
      to="/operator/organizations/$organization"
      params={{ organization }}
      title={organization}
      className="block truncate hover:underline"
    >
      {organizationOf(entry)}
    </Link>
  );
}
