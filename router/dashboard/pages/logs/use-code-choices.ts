import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { refusalCountsQuery } from '../../api/refusals.ts';
import type { Choice } from '../../parts/list/filter-picker.tsx';
import { useOrganization } from '../../session.tsx';
import { codeChoices } from './code-choices.ts';
import type { LogTime } from './log-time.ts';
import type { LogRow } from './merge.ts';
import { listStatuses, type LogNarrowing } from './narrowing.ts';

/**
 * The codes of the filter. `rows`: the requests of `time` that are listed. Refusals are counted as the
 * other filters narrow them, which the API cannot do by model.
 */
export function useCodeChoices(
  { start, end, bucket }: LogTime,
  narrowing: LogNarrowing,
  rows: readonly LogRow[],
): readonly Choice[] {
  const { key, model } = narrowing;
  const { refused } = listStatuses(narrowing);
  const isCounted = refused !== null && model === undefined;
  const asked = {
    bucket,
    group_by: 'code',
    start,
    ...(end && { end }),
    ...(key && { key }),
    ...(refused?.length && { status: refused }),
  } as const;
  const counts = useQuery({
    ...refusalCountsQuery(useOrganization(), asked),
    placeholderData: keepPreviousData,
    enabled: isCounted,
  });
  return codeChoices((isCounted && counts.data?.groups) || [], rows);
}
