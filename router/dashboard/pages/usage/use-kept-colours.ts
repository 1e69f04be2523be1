import { useEffect } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { keepColours } from './colours.ts';
import { colouredGroups } from './series.ts';

/** The groups of a chart have the same colours in the next one. */
export function useKeptColours(summary: UsageSummary): void {
  useEffect(() => keepColours(summary.group_by ?? '', colouredGroups(summary)), [summary]);
}
