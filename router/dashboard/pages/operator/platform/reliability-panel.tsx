/**
 * How reliably the platform served in the last hour or day, against the time before. Each figure
 * leads to the history of the fleet that explains it.
 */
import { Link, useSearch } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { AVAILABILITY_MIN } from '../../../../../shared/availability.ts';
import type { PlatformReliability } from '../../../../../shared/api/platform.ts';
import { shownAbout, shownCount, shownMs, shownSmallShare } from '../../../format/count.ts';
import { type PlatformSearch, platformSearch } from '../../../operator-search.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { cx } from '../../../parts/class-names.ts';
import { Panel, Stat } from '../../../parts/page.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { numeric, Table, Td } from '../../../parts/list/table.tsx';
import { useZone } from '../../../zone.ts';
import { spanShown } from '../../usage/labels.ts';
import { SPANS } from '../history/spans.ts';
import { Nothing } from '../nothing.tsx';
import { ReliabilityCharts } from './reliability-charts.tsx';
import {
  allOf,
  ENDINGS,
  errorShareOf,
  msBefore,
  shareBefore,
  shareOf,
  shownAvailability,
} from './reliability-words.ts';

const PERIODS = [SPANS.hour, SPANS.day];
type Period = (typeof PERIODS)[number]['value'];

type ReliabilityQuery = ComponentProps<typeof Loaded<PlatformReliability>>['query'];

export function ReliabilityPanel({ reliability }: { reliability: ReliabilityQuery }) {
  const search: PlatformSearch = useSearch({ strict: false });
  const change = useSearchChange(platformSearch, { replaces: false });
  const period: Period = search.period ?? 'hour';
  return (
    <section aria-labelledby="reliability" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="reliability" className="font-semibold">
          Reliability
        </h2>
        <Segmented
          label="Period of the reliability"
          value={period}
          choices={PERIODS}
          onChange={(chosen) => change({ period: chosen })}
        />
      </div>
      <Loaded query={reliability}>
        {({ [period]: compared }) => <Figures compared={compared} period={period} />}
      </Loaded>
    </section>
  );
}

type Compared = PlatformReliability['hour'];

function Figures({ compared, period }: { compared: Compared; period: Period }) {
  const zone = useZone();
  const { present, before, start, end } = compared;
  if (allOf(present) === 0 && allOf(before) === 0) {
    return (
      <Panel>
        <Nothing title="No requests in this time">
          Routers add the requests that have ended once a minute.
        </Nothing>
      </Panel>
    );
  }
  const isBelow = present.availability !== null && present.availability < AVAILABILITY_MIN;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5 max-sm:[&>:first-child:nth-last-child(odd)]:col-span-2">
        <Stat
          label={<Explained period={period}>Availability</Explained>}
          note={noteOf(
            shareBefore(present.availability, before.availability, shownAvailability),
            `The objective is ${100 * AVAILABILITY_MIN}%`,
          )}
        >
          <span className={cx(isBelow && 'text-bad')}>
            {shownAvailability(present.availability)}
          </span>
        </Stat>
        <Stat
          label={<Explained period={period}>Platform errors</Explained>}
          note={noteOf(
            shareBefore(errorShareOf(present), errorShareOf(before), shownSmallShare),
            failedInWords(present.unavailable + present.failed),
          )}
        >
          {shownSmallShare(errorShareOf(present))}
        </Stat>
        <Stat
          label={<Explained period={period}>Time to first token, p50</Explained>}
          note={noteOf(msBefore(present.ttft_ms?.p50 ?? null, before.ttft_ms?.p50 ?? null))}
        >
          {shownAbout(present.ttft_ms?.p50 ?? null)}
        </Stat>
        <Stat
          label={<Explained period={period}>Time to first token, p95</Explained>}
          note={noteOf(msBefore(present.ttft_ms?.p95 ?? null, before.ttft_ms?.p95 ?? null))}
        >
          {shownAbout(present.ttft_ms?.p95 ?? null)}
        </Stat>
        <Stat
          label={<Explained period={period}>Wait in the queue</Explained>}
          note={noteOf(msBefore(present.queue_ms, before.queue_ms), 'Average of all requests')}
        >
          {shownMs(present.queue_ms)}
        </Stat>
      </div>
      <ReliabilityCharts period={period} start={start} />
      <Panel
        flush
        title="How requests ended"
        description={`${spanShown(start, end, 'minute', zone)}, against the ${period === 'day' ? '24 hours' : 'hour'} before. Availability and platform errors leave out requests that were refused or limited.`}
      >
        <EndingsTable compared={compared} period={period} />
      </Panel>
    </>
  );
}

function failedInWords(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'request' : 'requests'} with a status of 5xx`;
}

function noteOf(...parts: readonly (string | null)[]): ReactNode {
  return parts.map(
    (part) =>
      part !== null && (
        <span key={part} className="block">
          {part}
        </span>
      ),
  );
}

/** Leads to the history of the fleet in this time, by model. */
function Explained({ period, children }: { period: Period; children: ReactNode }) {
  return (
    <Link
      to="/operator/fleet"
      search={{ span: period, by: 'model' }}
      hash="history"
      className="hover:underline"
    >
      {children}
    </Link>
  );
}

function EndingsTable({
  compared: { present, before },
  period,
}: {
  compared: Compared;
  period: Period;
}) {
  const earlier = period === 'day' ? '24 h before' : 'hour before';
  const occurred = ENDINGS.filter(({ of }) => of === 'answered' || present[of] + before[of] > 0);
  return (
    <Table
      label="How requests ended"
      columns={[
        'Ending',
        numeric('Requests'),
        numeric('Share'),
        numeric(`Requests, ${earlier}`),
        numeric(`Share, ${earlier}`),
      ]}
    >
      {occurred.map((ending) => {
        const count = present[ending.of];
        return (
          <tr key={ending.of}>
            <Td className="font-medium">
              {ending.isOurs ? <Explained period={period}>{ending.name}</Explained> : ending.name}
            </Td>
            <Td right>
              <span className={cx(ending.isOurs && count > 0 && 'text-bad')}>
                {shownCount(count)}
              </span>
            </Td>
            <Td right>{shownSmallShare(shareOf(present, ending))}</Td>
            <Td right>{shownCount(before[ending.of])}</Td>
            <Td right>{shownSmallShare(shareOf(before, ending))}</Td>
          </tr>
        );
      })}
      <tr className="font-medium">
        <Td>All requests</Td>
        <Td right>{shownCount(allOf(present))}</Td>
        <Td right />
        <Td right>{shownCount(allOf(before))}</Td>
        <Td right />
      </tr>
    </Table>
  );
}
