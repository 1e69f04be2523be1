import { type ReactNode, useState } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { compactCount, shownAbout, shownCount, shownShare } from '../../format/count.ts';
import { cx } from '../../parts/class-names.ts';
import { DownloadLink } from '../../parts/download-link.tsx';
import { ShowMore } from '../../parts/list/loaded-list.tsx';
import { ModelId } from '../../parts/model-id.tsx';
import { Panel } from '../../parts/page.tsx';
import { colourOf } from '../../parts/chart/series.ts';
import { SortChoice, type Sorting, sortedBy } from '../../parts/list/sorting.tsx';
import { foremost, numeric, Table, Td } from '../../parts/list/table.tsx';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { filterOfOne } from '../../search-values.ts';
import type { CostDecimals } from './cost-decimals.ts';
import { type GroupSort, sortedGroups } from './groups-order.ts';
import { cachedShare, tokensOf } from './measures.ts';
import { type Group, groupsOf, namedGroups } from './series.ts';
import { ACCURACY, Term } from './totals.tsx';
import { GROUPING_NAMES } from './usage-chart.tsx';
import type { Address } from './use-address.ts';

const ROWS_FIRST = 10;

type GroupsTableProps = Pick<Address, 'change'> &
  Readonly<{
    /** Of the chart, whose colours the groups have here, too. */
    summary: UsageSummary;
    /** More groups than the chart has. */
    all: UsageSummary;
    decimals: CostDecimals;
    csv: string;
  }>;

/** The figures of each group. A click on a group filters the page by it. */
export function GroupsTable({ summary, all, decimals, csv, change }: GroupsTableProps) {
  const by = (summary.group_by ?? 'model') as keyof typeof GROUPING_NAMES;
  const [sorting, setSorting] = useState<Sorting<GroupSort>>({ sort: 'cost', order: 'desc' });
  const [showsAll, setShowsAll] = useState(false);
  const sorted = sortedBy(sorting, setSorting);
  const charted = groupsOf(summary);
  const groups = sortedGroups(namedGroups(all), sorting);
  const shown = showsAll ? groups : groups.slice(0, ROWS_FIRST);
  const choose = (value: string) => change({ [by]: filterOfOne(value) });
  const title = `By ${by}`;
  const figure = (name: string, sort: GroupSort) => ({ ...numeric(name), ...sorted(sort) });
  return (
    <Panel
      flush
      title={title}
      description={
        <>
          {groups.some(({ group }) => group.other) &&
            `The table has the ${groups.length - 1} ${by}s with the highest cost, and all others in one row. `}
          The CSV has a row for each period and group, up to 50 groups.
        </>
      }
      actions={
        <>
          <SortChoice sorting={sorting} choices={CHOICES} onSort={setSorting} />
          <DownloadLink href={csv} what="these sums" />
        </>
      }
    >
      <Table
        label={title}
        columns={[
          { name: GROUPING_NAMES[by], ...sorted('name', 'asc') },
          foremost(figure('Cost', 'cost')),
          figure('Requests', 'requests'),
          figure('Failed', 'errors'),
          figure('Tokens', 'tokens'),
          figure('Cached', 'cached'),
          figure('First token p50', 'ttft'),
          figure('Duration p50', 'duration'),
        ]}
      >
        {shown.map(({ name, group }) => (
          <tr
            key={name}
            {...(group.group !== null && {
              className: 'cursor-pointer hover:bg-hover',
              onClick: opensOnClick(() => choose(group.group ?? '')),
            })}
          >
            <Td className="max-w-80 md:w-full">
              <span className="flex items-center gap-2">
                <Colour of={charted.find((one) => isSame(one.group, group))?.colour ?? null} />
                <GroupName name={name} group={group} onChosen={choose} />
              </span>
            </Td>
            <Figures {...{ group, decimals }} />
          </tr>
        ))}
      </Table>
      {shown.length < groups.length && (
        <ShowMore name={`Show all ${groups.length}`} onMore={() => setShowsAll(true)} />
      )}
    </Panel>
  );
}

const CHOICES = [
  { sort: 'cost', order: 'desc', name: 'Highest cost first' },
  { sort: 'requests', order: 'desc', name: 'Most requests first' },
  { sort: 'errors', order: 'desc', name: 'Most failed requests first' },
  { sort: 'tokens', order: 'desc', name: 'Most tokens first' },
  { sort: 'cached', order: 'desc', name: 'Highest cached share first' },
  { sort: 'ttft', order: 'desc', name: 'Slowest first token first' },
  { sort: 'duration', order: 'desc', name: 'Longest duration first' },
  { sort: 'name', order: 'asc', name: 'By name' },
] as const;

function isSame(one: Group, other: Group): boolean {
  return one.group === other.group && one.other === other.other && !one.other;
}

/** Null: the chart has it among all others. */
function Colour({ of: colour }: Readonly<{ of: number | null }>) {
  const series = [{ name: '', other: colour === null, ...(colour !== null && { colour }) }];
  return (
    <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
      <rect width="8" height="8" rx="2" fill={colourOf(series, 0)} />
    </svg>
  );
}

type GroupNameProps = Readonly<{
  name: string;
  group: Group;
  onChosen: (value: string) => void;
}>;

function GroupName({ name, group: { group }, onChosen }: GroupNameProps) {
  if (group === null) return <span className="text-muted">{name}</span>;
  return (
    <button
      type="button"
      className="min-w-0 text-left break-words hover:underline max-sm:min-h-11"
      title={`Show only ${name}`}
      onClick={() => onChosen(group)}
    >
      <ModelId id={name} />
    </button>
  );
}

function Figures({ group, decimals }: Readonly<{ group: Group; decimals: CostDecimals }>) {
  const share = cachedShare(group);
  const { requests, errors, ttft_ms: ttft, duration_ms: duration } = group;
  return (
    <>
      <Figure
        note={
          <>
            <Term amount={group.cached_savings} decimals={decimals.saved} /> saved
          </>
        }
      >
        <Term amount={group.cost} decimals={decimals.cost} />
      </Figure>
      <Figure note={`${shownCount(group.cancelled)} canceled`}>{shownCount(requests)}</Figure>
      <Figure note={shownShare(errors / requests)}>
        <span className={cx(errors > 0 && 'text-bad')}>{shownCount(errors)}</span>
      </Figure>
      <Figure note={`${compactCount(group.completion_tokens)} completion`}>
        {shownCount(tokensOf(group))}
      </Figure>
      <Figure note={`${compactCount(group.cached_tokens)} tokens`}>
        {share === null ? '–' : shownShare(share)}
      </Figure>
      <Figure note={`p90 ${shownAbout(ttft?.p90 ?? null)}`}>
        <span title={ACCURACY}>{shownAbout(ttft?.p50 ?? null)}</span>
      </Figure>
      <Figure note={`p90 ${shownAbout(duration?.p90 ?? null)}`}>
        <span title={ACCURACY}>{shownAbout(duration?.p50 ?? null)}</span>
      </Figure>
    </>
  );
}

function Figure({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <Td right className="whitespace-nowrap">
      {children}
      <span className="block text-xs text-muted">{note}</span>
    </Td>
  );
}
