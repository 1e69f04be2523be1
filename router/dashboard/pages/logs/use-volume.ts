import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LIVE_MS } from '../../api/fleet.ts';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { summaryQuery } from '../../api/usage.ts';
import { useOrganization } from '../../session.tsx';
import { barsOf, type LogTime } from './log-time.ts';
import { countable, listStatuses, type LogNarrowing } from './narrowing.ts';
import { type VolumeBar, volumeOf } from './volume.ts';

type Volume = Readonly<{
  /** Undefined until the counts are known. */
  bars: readonly VolumeBar[] | undefined;
  /** Whether the counts are still those of another time or of other filters. */
  isStale: boolean;
  error: Error | null;
  refetch: () => Promise<unknown>;
}>;

/** Counts the requests that the page lists. Both counts are asked for at once. */
export function useVolume(
  time: LogTime,
  narrowing: LogNarrowing,
  { asOf, live }: Readonly<{ asOf: number; live: boolean }>,
): Volume {
  const organization = useOrganization();
  const { start, end, bucket } = time;
  const { code, key, model, member, source } = narrowing;
  const status = listStatuses(narrowing);
  const counts = countable(narrowing);
  const asked = { bucket, start, ...(end && { end }), ...(key && { key }) };
  const common = {
    placeholderData: keepPreviousData,
    refetchInterval: live && LIVE_MS,
  } as const;
  const usage = useQuery({
    ...summaryQuery(organization, {
      ...asked,
      ...(model && { model }),
      ...(member && { member }),
      ...(source && { source }),
      ...(status.admitted?.length && { status: status.admitted }),
    }),
    ...common,
    enabled: counts.admitted,
  });
  const refusals = useQuery({
    ...refusalCountsQuery(organization, {
      ...asked,
      ...(code && { code }),
      ...(status.refused?.length && { status: status.refused }),
    }),
    ...common,
    enabled: counts.refused,
  });
  const asking = [...(counts.admitted ? [usage] : []), ...(counts.refused ? [refusals] : [])];
  const isKnown = asking.every(({ data }) => data !== undefined);
  // While the list is live, the counts reach further than when the page was opened.
  const ends = asking.flatMap(({ data, isPlaceholderData }) =>
    data === undefined || isPlaceholderData ? [] : [Date.parse(data.end) - 1],
  );
  const latest = Math.max(asOf, ...ends);
  return {
    isStale: asking.some(({ isPlaceholderData }) => isPlaceholderData),
    bars: isKnown
      ? volumeOf(
          barsOf(time, latest),
          (counts.admitted && usage.data) || null,
          (counts.refused && refusals.data) || null,
        )
      : undefined,
    error: asking.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(asking.map((query) => query.refetch())),
  };
}
