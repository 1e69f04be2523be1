/**
 * Serializes a usage summary in the store's thread, so that the router's main thread neither copies
 * nor reads its thousands of figures.
 */
import { readProcedure } from '../../store/procedure.ts';
import type { SummaryQuery } from '../../usage/rollups/summary-query.ts';
import { summaryCsv } from './csv.ts';
import { summarizeNamed } from './procedures.ts';
import { shownSummary } from './serialize-summary.ts';

type WriteInput = Readonly<{ query: SummaryQuery; format: 'json' | 'csv' }>;

/**
 * Returns null when there is no such organization, and `too_wide` when the summary has too many
 * groups.
 */
export const writeUsageSummary = readProcedure<
  WriteInput,
  Uint8Array<ArrayBuffer> | 'too_wide' | null
>('writeUsageSummary', { heavy: true }, async (db, { query, format }) => {
  const named = await summarizeNamed(db, query);
  if (named === null || named === 'too_wide') return named;
  const shown = shownSummary(named, query);
  if (format === 'csv') return new TextEncoder().encode(summaryCsv(shown));
  // Imported on demand, because schemas are of no use to the other threads of the store.
  const { summaryJson } = await import('./summary-json.ts');
  return new TextEncoder().encode(summaryJson(shown));
});
