import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { When } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { failureGroups } from './failure-groups.ts';
import { FailuresTable } from './failures-table.tsx';
import { chosenTime } from './log-time.ts';
import type { LogRow } from './merge.ts';
import { FAILURE_STATUSES, narrowingOf } from './narrowing.ts';
import { useLogs } from './use-logs.ts';

const ROWS_MAX = 5;
/** So many of the latest requests are counted, of those that were admitted and of those that were refused. */
const COUNTED = 100;
const RANGE = '30d';
const AGAIN_MS = 30_000;

/**
 * The latest requests that failed or were refused, those with the same status and code together: of
 * one key, or of the whole organization.
 */
export function LatestFailures({ apiKey }: { apiKey?: string }) {
  const organization = useOrganization();
  const [asOf] = useAsOf();
  const of = apiKey === undefined ? {} : { key: apiKey };
  const asked = { status: FAILURE_STATUSES, ...of };
  const { start } = spanOf({ range: RANGE }, asOf);
  const logs = useLogs({
    time: { start },
    // Routers of the previous version know these statuses, too. Canceled requests are among them,
    // which the groups leave out.
    narrowing: narrowingOf({ status: '4xx,5xx,refused', ...of }),
    againMs: AGAIN_MS,
    limit: COUNTED,
  });
  const groups = logs.data && failureGroups(logs.data);
  // The API looks through a part of the requests for each page, so that a page may have no rows
  // although older requests failed.
  const hasNextPage = logs.hasNextPage && groups?.length === 0;
  const oldest = logs.hasNextPage ? logs.data?.at(-1) : undefined;
  return (
    <Panel
      flush
      title="Recent failures"
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.logs.path} params={{ organization }} search={{ range: RANGE, ...asked }}>
            All failures
          </Link>
        </Button>
      }
      description="Last 30 days. Requests that failed or were refused, grouped by status and code."
    >
      <LoadedList
        list={{ ...logs, data: groups?.slice(0, ROWS_MAX), hasNextPage }}
        empty={
          hasNextPage ? (
            <p className="border-t px-5 py-4 text-sm text-muted">
              None of the latest requests failed. Older requests may have failed.
            </p>
          ) : (
            <Empty icon={<CircleCheck />} title="No failures" />
          )
        }
      >
        {(latest) => (
          <FailuresTable
            groups={latest}
            logs={{ range: RANGE, ...(apiKey !== undefined && { key: apiKey }) }}
            withoutKeys={apiKey !== undefined}
          />
        )}
      </LoadedList>
      {oldest && <Older start={start} oldest={oldest} narrowing={asked} />}
    </Panel>
  );
}

type OlderProps = Readonly<{ start: string; oldest: LogRow; narrowing: LogsSearch }>;

/** Leads from the oldest of the failures that are counted to those before it. */
function Older({ start, oldest, narrowing }: OlderProps) {
  const organization = useOrganization();
  // Whatever ended before it had arrived before it. Others may have ended in the same second.
  const until = (Math.floor(oldest.at / 1000) + 1) * 1000;
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t px-5 py-3 text-sm text-muted">
      <span>
        Only the latest {COUNTED} refused and the latest {COUNTED} other requests are counted, back
        to <When at={new Date(oldest.at).toISOString()} />.
      </span>
      <Link
        to={PAGES.logs.path}
        params={{ organization }}
        search={{ ...narrowing, ...chosenTime(Date.parse(start), until) }}
        className="font-medium text-ink hover:underline"
      >
        Older failures
      </Link>
    </p>
  );
}
