import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { type UsageFilter, usageQuery } from '../../api/usage.ts';
import { shownCount, shownMs } from '../../format/count.ts';
import { zoneWords } from '../../format/time.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { ModelCell } from '../../parts/model-id.tsx';
import { When } from '../../parts/shown.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import type { LogsSearch } from '../../search.ts';
import { useZone } from '../../zone.ts';
import { endedAt } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { senderOf } from './sender.ts';
import { SpeedCell } from './speed-cell.tsx';

const ROWS_MAX = 5;

/** The query of the latest requests among those that the page shows. */
export function latestQuery(organization: string, query: UsageFilter) {
  return usageQuery(organization, { ...query, limit: ROWS_MAX });
}

type LatestRequestsProps = Readonly<{
  query: UsageFilter;
  /** What the logs show of the same requests. */
  logs: LogsSearch;
}>;

/** The latest requests, and the way to all of them. The request that ended last is first. */
export function LatestRequests({ query, logs }: LatestRequestsProps) {
  const organization = useOrganization();
  const latest = useInfiniteQuery({
    ...latestQuery(organization, query),
    placeholderData: keepPreviousData,
  });
  const rows = latest.data?.slice(0, ROWS_MAX);
  // A page of a filtered list may have fewer rows than its limit, although more follow.
  const hasNextPage = latest.hasNextPage && (rows?.length ?? 0) < ROWS_MAX;
  const list = { ...latest, data: rows, hasNextPage };
  return (
    <Panel
      flush
      title="Latest requests"
      description={`Newest first, ${zoneWords(useZone())}.`}
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.logs.path} params={{ organization }} search={logs}>
            All requests in Logs
          </Link>
        </Button>
      }
    >
      <LoadedList
        list={list}
        empty={
          <p className="border-t px-5 py-4 text-sm text-muted">
            {list.hasNextPage
              ? 'None of the latest requests match these filters. Older requests may match.'
              : 'No requests.'}
          </p>
        }
      >
        {(shown) => <Rows rows={shown} />}
      </LoadedList>
    </Panel>
  );
}

function Rows({ rows }: { rows: readonly UsageEntry[] }) {
  return (
    <Table
      label="Latest requests"
      grid
      columns={[
        'Ended',
        'Model',
        'Key',
        numeric('Prompt'),
        numeric('Completion'),
        numeric('Cost'),
        numeric('First token'),
        numeric('Tokens/s'),
        foremost('Outcome'),
      ]}
    >
      {rows.map((row) => (
        <RequestRow key={row.request_id} row={row} />
      ))}
    </Table>
  );
}

function RequestRow({ row }: { row: UsageEntry }) {
  const organization = useOrganization();
  return (
    <tr className="hover:bg-hover">
      <Td>
        <Link
          to="/$organization/logs/$request"
          params={{ organization, request: row.request_id }}
          className="font-medium hover:underline"
        >
          <When at={endedAt(row)} />
          <span className="sr-only">, request {row.request_id}</span>
        </Link>
      </Td>
      {/* It has the width that the other columns leave. */}
      <ModelCell id={row.model} className="w-full" />
      <Td className="max-w-32 truncate" title={row.key_id}>
        {senderOf(row)}
      </Td>
      <Td right>
        <span title={`${shownCount(row.cached_tokens)} of them cached`}>
          {shownCount(row.prompt_tokens)}
        </span>
      </Td>
      <Td right>
        <span title={`${shownCount(row.reasoning_tokens)} of them reasoning`}>
          {shownCount(row.completion_tokens)}
        </span>
      </Td>
      <MoneyCell amount={row.cost} />
      <Td right className="whitespace-nowrap">
        {shownMs(row.ttft_ms)}
      </Td>
      <SpeedCell of={row} />
      <Td>
        <OutcomeBadge of={row} />
      </Td>
    </tr>
  );
}
