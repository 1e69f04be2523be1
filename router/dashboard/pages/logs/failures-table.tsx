import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shownCount } from '../../format/count.ts';
import { PAGES } from '../../pages.ts';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { ModelCell } from '../../parts/model-id.tsx';
import { When } from '../../parts/shown.tsx';
import { foremost, numeric, Table, Td } from '../../parts/list/table.tsx';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { useZone } from '../../zone.ts';
import { OutcomeBadge } from '../usage/outcome-badge.tsx';
import { type FailureGroup, logsOf } from './failure-groups.ts';
import { faultOf } from './fault.ts';

type FailuresTableProps = Readonly<{
  groups: readonly FailureGroup[];
  /** The logs of the time and of the key that the groups are of. */
  logs: LogsSearch;
  /** Leaves out the column of keys, where all failures are of one. */
  withoutKeys: boolean;
}>;

/**
 * Failures, those with the same status and code in one row. It leads to them in the logs, or to the
 * request if it is the only one.
 */
export function FailuresTable({ groups, logs, withoutKeys }: FailuresTableProps) {
  return (
    <Table
      label="Recent failures"
      columns={[
        'Latest',
        foremost('Outcome'),
        numeric('Requests'),
        'Model',
        ...(withoutKeys ? [] : ['Key']),
        'Details',
      ]}
    >
      {groups.map((group) => (
        <Row key={group.rows[0].entry.request_id} {...{ group, logs, withoutKeys }} />
      ))}
    </Table>
  );
}

type RowProps = Omit<FailuresTableProps, 'groups'> & Readonly<{ group: FailureGroup }>;

function Row({ group, logs, withoutKeys }: RowProps) {
  const { outcome, rows, models, senders } = group;
  const [newest] = rows;
  const organization = useOrganization();
  const navigate = useNavigate();
  const fault = faultOf(newest, useZone()) ?? '–';
  const to =
    rows.length === 1
      ? ({
          to: PAGES.request.path,
          params: { organization, request: newest.entry.request_id },
        } as const)
      : ({
          to: PAGES.logs.path,
          params: { organization },
          search: { ...logs, ...logsOf(group) },
        } as const);
  const at = new Date(newest.at).toISOString();
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(() => void navigate(to))}>
      <Td>
        <Link {...to} className="font-medium hover:underline">
          <When at={at} relative />
        </Link>
      </Td>
      <Td>
        <OutcomeBadge of={outcome} />
      </Td>
      <Td right>{shownCount(rows.length)}</Td>
      <NamesCell of={models} many="models">
        {(model) => <ModelCell id={model} />}
      </NamesCell>
      {!withoutKeys && (
        <NamesCell of={senders} many="keys">
          {(name) => (
            <Td className="max-w-28 truncate" title={name}>
              {name}
            </Td>
          )}
        </NamesCell>
      )}
      {/* It has the width that the other columns leave. */}
      <Td className="w-full max-w-0 min-w-40 text-muted" title={fault}>
        <span className="line-clamp-2 wrap-anywhere">{fault}</span>
      </Td>
    </tr>
  );
}

type NamesCellProps = Readonly<{
  of: readonly string[];
  many: string;
  /** The cell of a single name. */
  children: (name: string) => ReactNode;
}>;

/** The only name, or how many there are. */
function NamesCell({ of, many, children }: NamesCellProps) {
  const [only, second] = of;
  if (only === undefined) return <Td className="text-muted">–</Td>;
  if (second === undefined) return children(only);
  return (
    <Td className="whitespace-nowrap" title={of.join(', ')}>
      {shownCount(of.length)} {many}
    </Td>
  );
}
