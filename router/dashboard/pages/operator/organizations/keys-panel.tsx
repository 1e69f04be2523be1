import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keyPagesQuery } from '../../../api/keys.ts';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { StateBadge } from '../../../parts/shown.tsx';
import { Empty } from '../../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td, TimeCell } from '../../../parts/table.tsx';
import { KEY_STATES, memberName } from '../../keys/states.ts';

/** The organization's API keys, read-only. They are changed on the customer's own pages. */
export function KeysPanel({ organization }: { organization: string }) {
  const keys = useInfiniteQuery(keyPagesQuery(organization));
  return (
    <Panel title="API keys" flush className="overflow-hidden">
      <LoadedList list={keys} empty={<Empty title="No API keys yet" />}>
        {(rows) => (
          <Table
            label="API keys"
            columns={[
              'Name',
              foremost('Status'),
              'Created by',
              'Created',
              'Last used',
              numeric('This month (UTC)'),
            ]}
          >
            {rows.map((row) => (
              <tr key={row.id}>
                <Td className="max-w-72 min-w-48">
                  <Link
                    to="/$organization/keys/$key"
                    params={{ organization, key: row.id }}
                    className="block truncate font-medium hover:underline"
                    title={row.name}
                  >
                    {row.name}
                  </Link>
                  <p className="truncate font-mono text-xs text-muted">{row.label}</p>
                </Td>
                <Td>
                  <StateBadge of={KEY_STATES[row.state]} />
                </Td>
                <Td className="wrap-anywhere">{memberName(row.created_by)}</Td>
                <TimeCell at={row.created} />
                <TimeCell at={row.last_used} relative />
                <MoneyCell amount={row.spend.month} />
              </tr>
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}
