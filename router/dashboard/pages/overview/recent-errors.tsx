import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { errorsQuery, type RecentError } from '../../api/overview.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { When } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';
import { OutcomeBadge } from '../usage/outcome-badge.tsx';

/** The newest requests that failed, were refused, or whose client disconnected. */
export function RecentErrors() {
  const errors = useQuery(errorsQuery(useOrganization()));
  return (
    <Panel
      title="Recent failures"
      description="Requests that failed, were refused, or were canceled by the client."
      actions={<AllErrors />}
      flush
    >
      <Loaded query={errors}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<CircleCheck />} title="No recent failures" />
          ) : (
            <Table
              label="Recent failures"
              columns={['Request', 'Outcome', 'Model', 'Key', numeric('Time')]}
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

function AllErrors() {
  return (
    <Button size="small" asChild>
      <Link
        to="/$organization/logs"
        params={{ organization: useOrganization() }}
        search={{ status: 'refused,4xx,5xx', range: '30d' }}
      >
        All failures
      </Link>
    </Button>
  );
}

function ErrorRow({ row }: { row: RecentError }) {
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
        <OutcomeBadge of={{ ...row, finish_reason: null }} />
      </Td>
      <Td className="max-w-72 truncate">{row.model ?? '–'}</Td>
      <Td className="max-w-48 truncate">{row.key}</Td>
      <Td right>
        <When at={row.created} relative />
      </Td>
    </tr>
  );
}
