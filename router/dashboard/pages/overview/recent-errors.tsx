import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { errorsQuery } from '../../api/overview.ts';
import { Panel } from '../../parts/page.tsx';
import { Badge, When } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';

/**
 * Requests that failed after they were accepted, or whose client disconnected. Requests that were
 * refused before that are in the logs.
 */
export function RecentErrors() {
  const errors = useQuery(errorsQuery(useOrganization()));
  return (
    <Panel
      title="Recent errors"
      description="Requests that failed after they were accepted, or that the client canceled."
      flush
    >
      <Loaded query={errors}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<CircleCheck />} title="No recent errors" />
          ) : (
            <Table
              label="Recent errors"
              columns={['Request', 'Status', 'Model', 'Key', numeric('Time')]}
            >
              {rows.map((row) => (
                <ErrorRow key={row.request_id} row={row} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ErrorRow({ row }: { row: UsageEntry }) {
  const organization = useOrganization();
  return (
    <tr>
      <Td>
        <Link
          to="/$organization/usage/$request"
          params={{ organization, request: row.request_id }}
          className="font-mono text-xs whitespace-nowrap text-accent underline-offset-2 hover:underline"
        >
          {row.request_id}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        <Badge tone={row.status >= 500 ? 'bad' : 'warn'}>{row.status}</Badge>{' '}
        <span className="ml-1 text-muted">{row.error ?? 'Canceled by client'}</span>
      </Td>
      <Td className="max-w-72 truncate">{row.model}</Td>
      <Td className="max-w-48 truncate">
        {row.source === 'playground' ? 'Playground' : (row.key_name ?? row.key_id)}
      </Td>
      <Td right>
        <When at={row.created} relative />
      </Td>
    </tr>
  );
}
