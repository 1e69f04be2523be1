/** What is beyond its objective on the page, and is too little for an alarm. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { AVAILABILITY_MIN, writtenAvailability } from '../../../../../shared/availability.ts';
import { DAY_MS, HOUR_MS } from '../../../../../shared/durations.ts';
import { platformReliabilityQuery } from '../../../api/platform.ts';
import { countOf, shownCount, shownSmallShare } from '../../../format/count.ts';
import type { PlatformSearch } from '../../../operator-search.ts';
import { type CommonHost, useCommonHost } from './common-host.ts';
import { failedShare, failingHosts, type HostAttempts, useLastHour } from './failed-attempts.ts';
import { HostLink } from './host-link.tsx';

/** How many hosts are named. The list of hosts has all. */
const HOSTS = 3;

const PERIODS = {
  hour: { name: 'last hour', ms: HOUR_MS },
  day: { name: 'last 24 hours', ms: DAY_MS },
} as const;

export type BelowObjective = Readonly<{
  /** What the availability is of: on the page Platform, the period that it shows. */
  period: keyof typeof PERIODS;
  /** Null if the objective is met, or if nothing is known. */
  below: Readonly<{ availability: number; failed: number }> | null;
  /** Where most of the requests failed. */
  host: CommonHost | null;
  /** Those on which attempts of the last hour failed, the worst first. */
  hosts: readonly HostAttempts[];
}>;

/** Null if nothing is beyond its objective. */
export function useBelowObjective(): BelowObjective | null {
  const search: PlatformSearch = useSearch({ strict: false });
  const period: BelowObjective['period'] = search.period ?? 'hour';
  const present = useQuery(platformReliabilityQuery).data?.[period].present;
  const host = useCommonHost(PERIODS[period].ms);
  const hosts = failingHosts(useLastHour());
  const availability = present?.availability ?? null;
  const below =
    present && availability !== null && availability < AVAILABILITY_MIN
      ? { availability, failed: present.unavailable + present.failed }
      : null;
  return below === null && hosts.length === 0 ? null : { period, below, host, hosts };
}

export function BelowObjectiveText({ period, below, host, hosts }: BelowObjective) {
  const named = hosts.slice(0, HOSTS);
  const others = hosts.length - named.length;
  return (
    <>
      {below && (
        <p>
          The availability of the {PERIODS[period].name} is{' '}
          {writtenAvailability(below.availability)}, below the objective of {100 * AVAILABILITY_MIN}
          %: {countOf(below.failed, 'request')} failed
          {host && (
            <>
              {below.failed === 1
                ? ' on host '
                : host.isEvery
                  ? ', all on host '
                  : ', most on host '}
              <HostLink {...host} />
            </>
          )}
          .
        </p>
      )}
      {named.length > 0 && (
        <p>
          Attempts that failed in the last hour:{' '}
          {named.map((one, nth) => (
            <Fragment key={one.agent}>
              {nth > 0 && ', '}
              {shownSmallShare(failedShare(one))} on <HostLink {...one} /> ({shownCount(one.failed)}{' '}
              of {shownCount(one.all)})
            </Fragment>
          ))}
          {others > 0 && `, and more on ${countOf(others, 'other host')}`}.
        </p>
      )}
    </>
  );
}
