/**
 * A summary as the API writes it, to its last byte: thousands of figures, which the router's thread neither copies
 * nor looks at.
 */
import { z } from 'zod';
import { UsageSummary } from '../../../shared/api/usage.ts';
import type { SummaryAsk } from '../../ledger/rollups/asking.ts';
import type { Procedure } from '../../store/procedure.ts';
import { summaryCsv } from './csv.ts';
import { summarizeNamed } from './procedures.ts';
import { shownSummary } from './summary-shown.ts';

type WriteAsk = Readonly<{ ask: SummaryAsk; format: 'json' | 'csv' }>;

/** Null: there is no such organization. */
export const writeUsageSummary: Procedure<WriteAsk, Uint8Array<ArrayBuffer> | 'too_wide' | null> = {
  name: 'writeUsageSummary',
  access: 'read',
  heavy: true,
  async run(db, { ask, format }) {
    const named = await summarizeNamed(db, ask);
    if (named === null || named === 'too_wide') return named;
    const shown = shownSummary(named, ask);
    return new TextEncoder().encode(format === 'csv' ? summaryCsv(shown) : json(shown));
  },
};

/** Checked against its schema, as every answer of the API is. */
function json(shown: UsageSummary): string {
  return JSON.stringify(z.encode(UsageSummary, shown));
}
