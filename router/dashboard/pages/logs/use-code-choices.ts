import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { refusalCountsQuery } from '../../api/refusals.ts';
import type { Choice } from '../../parts/list/filter-picker.tsx';
import { useOrganization } from '../../session.tsx';
import { codeChoices } from './code-choices.ts';
import type { LogTime } from './log-time.ts';
import type { LogRow } from './merge.ts';

/** The codes of the filter. `rows`: the requests of `time` that are listed. */
export function useCodeChoices(
  { start, end, bucket }: LogTime,
  rows: readonly LogRow[],
): readonly Choice[] {
  const asked = { bucket, group_by: 'code', start, ...(end && { end }) } as const;
  const counts = useQuery({
    ...refusalCountsQuery(useOrganization(), asked),
    placeholderData: keepPreviousData,
  });
  return codeChoices(counts.data?.groups ?? [], rows);
}
