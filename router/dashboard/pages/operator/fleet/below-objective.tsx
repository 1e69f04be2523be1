/** What failed in the last hour that is too little for an alarm. */
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { AVAILABILITY_MIN, writtenAvailability } from '../../../../../shared/availability.ts';
import { platformReliabilityQuery } from '../../../api/platform.ts';
import { countOf, shownCount, shownSmallShare } from '../../../format/count.ts';
import { type CommonHost, useCommonHost } from './common-host.ts';
import { failedShare, failingHosts, type HostAttempts, useLastHour } from './failed-attempts.ts';
import { HostLink } from './host-link.tsx';

/** How many hosts are named. The list of hosts has all. */
const HOSTS = 3;

export type HourFailures = Readonly<{
  /** Null if the objective is met, or if nothing is known. */
  below: Readonly<{ availability: number; failed: number }> | null;
  host: CommonHost | null;
  /** Those on which attempts fail, the worst first. */
  hosts: readonly HostAttempts[];
}>;

/** Null if nothing is beyond its objective. */
export function useHourFailures(): HourFailures | null {
  const hour = useQuery(platformReliabilityQuery).data?.hour.present;
  const host = useCommonHost();
  const hosts = failingHosts(useLastHour());
  const availability = hour?.availability ?? null;
  const below =
    hour && availability !== null && availability < AVAILABILITY_MIN
      ? { availability, failed: hour.unavailable + hour.failed }
      : null;
  return below === null && hosts.length === 0 ? null : { below, host, hosts };
}

export function HourFailuresText({ below, host, hosts }: HourFailures) {
  const named = hosts.slice(0, HOSTS);
  const others = hosts.length - named.length;
  return (
    <>
      {below && (
        <p>
          The availability of the last hour is {writtenAvailability(below.availability)}, below the
          objective of {100 * AVAILABILITY_MIN}%: {countOf(below.failed, 'request')} failed
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
