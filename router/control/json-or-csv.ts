/** The responses of routes that send a CSV. */
import { z } from 'zod';

const Csv = z.string().describe('UTF-8, with a header line. Amounts are exact.');

/** The response of a route that sends a CSV alone. */
export const inCsv = {
  description: 'The CSV',
  content: { 'text/csv': { schema: Csv } },
};

/** The response of a route whose query has a `format`. */
export const inJsonOrCsv = <Schema extends z.ZodType>(schema: Schema) => ({
  description: 'In the requested `format`',
  content: { 'application/json': { schema }, 'text/csv': { schema: Csv } },
});

/** The same of a document, which is also a page to print and a PDF. */
export const inAnyForm = <Schema extends z.ZodType>(schema: Schema) => ({
  description: 'In the requested `format`',
  content: {
    'application/json': { schema },
    'text/csv': { schema: Csv },
    'text/html': { schema: z.string() },
    'application/pdf': { schema: z.string() },
  },
});
