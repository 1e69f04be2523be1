import type { ReactNode } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { shownAbout, shownCount, shownShare } from '../../format/count.ts';
import { cx } from '../../parts/class-names.ts';
import { ModelId } from '../../parts/model-id.tsx';
import { Panel } from '../../parts/page.tsx';
import { colourOf } from '../../parts/series.ts';
import { Money } from '../../parts/shown.tsx';
import { foremost, numeric, Table, Td } from '../../parts/table.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import { filterOfOne } from '../../search-values.ts';
import { cachedShare } from './measures.ts';
import { type Group, groupsOf } from './series.ts';
import { ACCURACY } from './totals.tsx';
import { GROUPING_NAMES } from './usage-chart.tsx';
import type { Address } from './use-address.ts';

type GroupsTableProps = Pick<Address, 'change'> & Readonly<{ summary: UsageSummary; csv: string }>;

/** The figures of each group. A click on the name of a group filters the page by that group. */
export function GroupsTable({ summary, csv, change }: GroupsTableProps) {
  const by = (summary.group_by ?? 'model') as keyof typeof GROUPING_NAMES;
  const groups = groupsOf(summary);
  const series = groups.map(({ name, colour, group: { other } }) => ({ name, colour, other }));
  const title = `By ${by}`;
  return (
    <Panel
      flush
      title={title}
      description="Highest cost first. The CSV has one row for each bucket and group, with up to 50 groups."
      actions={<DownloadLink href={csv} what="these sums" />}
    >
      <Table
        label={title}
        columns={[
          GROUPING_NAMES[by],
          numeric('Requests'),
          numeric('Prompt'),
          numeric('Completion'),
          foremost(numeric('Cost')),
          numeric('Time to first token, p50'),
          numeric('Duration p50'),
        ]}
      >
        {groups.map(({ name, group }, index) => (
          <tr key={name}>
            <Td className="max-w-80">
              <span className="flex items-center gap-2">
                <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
                  <rect width="8" height="8" rx="2" fill={colourOf(series, index)} />
                </svg>
                <GroupName
                  name={name}
                  group={group}
                  onChosen={(value) => change({ [by]: filterOfOne(value) })}
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
      className="min-w-0 text-left break-words hover:underline"
      title={`Show only ${name}`}
      onClick={() => onChosen(group)}
    >
      <ModelId id={name} />
    </button>
  );
}

function Figures({ group }: { group: Group }) {
  const share = cachedShare(group);
  const { errors, ttft_ms: ttft, duration_ms: duration } = group;
  return (
    <>
      <Figure
        note={
          <span className={cx(errors > 0 && 'text-bad')}>
            {errors === 0 ? 'None failed' : `${shownCount(errors)} failed`}
          </span>
        }
      >
        {shownCount(group.requests)}
      </Figure>
      <Figure
        note={
          <span title={`${shownCount(group.cached_tokens)} tokens`}>
            {share === null ? '–' : shownShare(share)} cached
          </span>
        }
      >
        {shownCount(group.prompt_tokens)}
      </Figure>
      <Figure note={`${shownCount(group.reasoning_tokens)} reasoning`}>
        {shownCount(group.completion_tokens)}
      </Figure>
      <Figure
        note={
          <>
            <Money amount={group.cached_savings} /> saved
          </>
        }
      >
        <Money amount={group.cost} />
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
