import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { Key } from '../../../../shared/api/keys.ts';
import { zoneWords } from '../../format/time.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { useZone } from '../../zone.ts';
import { LogTable } from '../logs/log-table.tsx';
import { useLogs } from '../logs/use-logs.ts';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';

const ROWS_MAX = 5;

/** The latest requests of the key that failed, were refused, or were canceled by their client. */
export function KeyFailures({ row }: { row: Key }) {
  const [asOf] = useAsOf();
  const { start } = spanOf({ range: '30d' }, asOf);
  const organization = useOrganization();
  const asked = { key: row.id, status: 'refused,4xx,5xx' };
  const logs = useLogs(asked, start);
  return (
    <Panel
      flush
      title="Recent failures"
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.logs.path} params={{ organization }} search={{ range: '30d', ...asked }}>
            All failures
          </Link>
        </Button>
      }
      description={`The latest requests that failed, were refused or were canceled, in the last 30 days, ${zoneWords(useZone())}.`}
    >
      <Loaded query={logs}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<CircleCheck />} title="No failures" />
          ) : (
            <LogTable rows={rows.slice(0, ROWS_MAX)} />
          )
        }
      </Loaded>
    </Panel>
  );
}
