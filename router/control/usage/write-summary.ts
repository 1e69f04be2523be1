/**
 * Serializes a usage summary in the store's thread, so that the router's main thread neither copies
 * nor reads its thousands of figures.
 */
import { z } from 'zod';
import { UsageSummary } from '../../../shared/api/usage.ts';
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
  return new TextEncoder().encode(format === 'csv' ? summaryCsv(shown) : json(shown));
});

/** Validates the answer against its schema, as for every answer of the API. */
function json(shown: UsageSummary): string {
  return JSON.stringify(z.encode(UsageSummary, shown));
}
