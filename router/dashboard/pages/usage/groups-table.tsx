import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { shownCount, shownMs, shownShare } from '../../format/count.ts';
import { colourOf } from '../../parts/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Table, Td, Th } from '../../parts/table.tsx';
import { DownloadLink } from './download-link.tsx';
import { cachedShare, type Group, groupsOf } from './series.ts';
import { GROUPING_NAMES } from './usage-chart.tsx';
import type { Address } from './use-address.ts';

type GroupsTableProps = Pick<Address, 'change'> & Readonly<{ summary: UsageSummary; csv: string }>;

/** The figures of each group; its name narrows the page to it. */
export function GroupsTable({ summary, csv, change }: GroupsTableProps) {
  const by = (summary.group_by ?? 'model') as keyof typeof GROUPING_NAMES;
  const groups = groupsOf(summary);
  const series = groups.map(({ name, group: { other } }) => ({ name, other, values: [] }));
  const title = `By ${by}`;
  return (
    <Panel
      flush
      title={title}
      description="The dearest first. As CSV there is a line for each bucket and group."
      actions={<DownloadLink href={csv} what="these sums" />}
    >
      <Table
        label={title}
        head={
          <>
            <Th>{GROUPING_NAMES[by]}</Th>
            <Th right>Requests</Th>
            <Th right>Errors</Th>
            <Th right>Prompt</Th>
            <Th right>Cached</Th>
            <Th right>Completion</Th>
            <Th right>Reasoning</Th>
            <Th right>Cost</Th>
            <Th right>Saved</Th>
            <Th right>TTFT p50</Th>
            <Th right>p90</Th>
            <Th right>Duration p50</Th>
          </>
        }
      >
        {groups.map(({ name, group }, index) => (
          <tr key={name}>
            <Td className="max-w-72">
              <span className="flex items-center gap-2">
                <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
                  <rect width="8" height="8" rx="2" fill={colourOf(series, index)} />
                </svg>
                <GroupName
                  name={name}
                  group={group}
                  onChosen={(value) => change({ [by]: value })}
                />
              </span>
            </Td>
            <Figures group={group} />
          </tr>
        ))}
      </Table>
    </Panel>
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
      className="truncate text-left hover:underline"
      title={`Show only ${name}`}
      onClick={() => onChosen(group)}
    >
      {name}
    </button>
  );
}

function Figures({ group }: { group: Group }) {
  const share = cachedShare(group);
  return (
    <>
      <Td right>{shownCount(group.requests)}</Td>
      <Td right className={group.errors > 0 ? 'text-bad' : 'text-muted'}>
        {shownCount(group.errors)}
      </Td>
      <Td right>{shownCount(group.prompt_tokens)}</Td>
      <Td right>
        <span title={`${shownCount(group.cached_tokens)} tokens`}>
          {share === null ? '–' : shownShare(share)}
        </span>
      </Td>
      <Td right>{shownCount(group.completion_tokens)}</Td>
      <Td right className="text-muted">
        {shownCount(group.reasoning_tokens)}
      </Td>
      <Td right>
        <Money amount={group.cost} />
      </Td>
      <Td right>
        <Money amount={group.cached_savings} />
      </Td>
      <Td right>{shownMs(group.ttft_ms?.p50 ?? null)}</Td>
      <Td right>{shownMs(group.ttft_ms?.p90 ?? null)}</Td>
      <Td right>{shownMs(group.duration_ms?.p50 ?? null)}</Td>
    </>
  );
}
