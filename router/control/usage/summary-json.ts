/** A usage summary as JSON. */
import { z } from 'zod';
import { UsageSummary } from '../../../shared/api/usage.ts';

/** Validates the answer against its schema, as for every answer of the API. */
export function summaryJson(shown: UsageSummary): string {
  return JSON.stringify(z.encode(UsageSummary, shown));
}
