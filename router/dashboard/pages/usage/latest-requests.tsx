import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { type UsageFilter, usageQuery } from '../../api/usage.ts';
import { shownMs } from '../../format/count.ts';
import { zoneWords } from '../../format/time.ts';
import { usdColumn } from '../../format/usd-column.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { ModelCell } from '../../parts/model-id.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import type { LogsSearch } from '../../search.ts';
import { useZone } from '../../zone.ts';
import { RequestRow } from '../logs/request-row.tsx';
import { endedAt } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { senderOf } from './sender.ts';
import { SpeedCell } from './speed-cell.tsx';
import { TOKENS, TokensCell } from './tokens-cell.tsx';

const ROWS_MAX = 5;

/** The query of the latest requests among those that the page shows. */
export function latestQuery(organization: string, query: UsageFilter) {
  return usageQuery(organization, { ...query, limit: ROWS_MAX });
}

type LatestRequestsProps = Readonly<{
  query: UsageFilter;
  /** Of the costs above, which these have, too, and more where one needs more. */
  decimals: number;
  /** What the logs show of the same requests. */
  logs: LogsSearch;
}>;

/** The latest requests, and the way to all of them. The request that ended last is first. */
export function LatestRequests({ query, decimals, logs }: LatestRequestsProps) {
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
        {(shown) => <Rows rows={shown} decimalsMin={decimals} />}
      </LoadedList>
    </Panel>
  );
}

type RowsProps = Readonly<{ rows: readonly UsageEntry[]; decimalsMin: number }>;

function Rows({ rows, decimalsMin }: RowsProps) {
  const decimals = Math.max(decimalsMin, usdColumn(rows.map(({ cost }) => cost)).decimals);
  return (
    <Table
      label="Latest requests"
      lines
      columns={[
        'Ended',
        { name: 'Model', card: 'plain' },
        'Key',
        TOKENS,
        { ...numeric('Cost'), card: 'plain' },
        numeric('First token'),
        numeric('Tokens/s'),
        foremost('Outcome'),
      ]}
    >
      {rows.map((row) => (
        <Row key={row.request_id} {...{ row, decimals }} />
      ))}
    </Table>
  );
}

function Row({ row, decimals }: Readonly<{ row: UsageEntry; decimals: number }>) {
  return (
    <RequestRow request={row.request_id} at={endedAt(row)} precision="minutes">
      {/* It has the width that the other columns leave. */}
      <ModelCell id={row.model} className="w-full" />
      <Td inLines="none" className="max-w-28 truncate" title={row.key_id}>
        {senderOf(row)}
      </Td>
      <TokensCell of={row} />
      <MoneyCell amount={row.cost} decimals={decimals} />
      <Td right inLines="none" className="whitespace-nowrap">
        {shownMs(row.ttft_ms)}
      </Td>
      <SpeedCell of={row} />
      <Td>
        <OutcomeBadge of={row} />
      </Td>
    </RequestRow>
  );
}
