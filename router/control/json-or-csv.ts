/** The response of a route whose query has a `format`. */
import { z } from 'zod';

const Csv = z.string().describe('UTF-8, with a header line. Amounts are exact.');

export const inJsonOrCsv = <Schema extends z.ZodType>(schema: Schema) => ({
  description: 'In the requested `format`',
  content: { 'application/json': { schema }, 'text/csv': { schema: Csv } },
});
