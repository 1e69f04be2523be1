/** The buyer's details on receipts and invoices, in the management API. */
import { z } from 'zod';
import { nameOf, PRINTED, PRINTED_FAULT } from './fields.ts';

const LINES_MAX = 6;
const LINE_CHARS_MAX = 100;

export const PartyName = nameOf(200);

/** Such as an address: lines, without empty ones at the ends and without spaces around each. */
export const PrintedLines = z
  .string()
  .max(LINES_MAX * (LINE_CHARS_MAX + 2), 'Enter at most 6 lines of 100 characters each.')
  .transform((text) =>
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  )
  .refine((text) => {
    const lines = text.split('\n');
    return lines.length <= LINES_MAX && lines.every((line) => line.length <= LINE_CHARS_MAX);
  }, 'Enter at most 6 lines of 100 characters each.')
  .refine((text) => text.split('\n').every((line) => PRINTED.test(line)), PRINTED_FAULT);

export const PartyTaxId = z
  .string()
  .trim()
  .max(50, 'Enter at most 50 characters.')
  .regex(PRINTED, PRINTED_FAULT);

/** Empty text: nothing is set. */
export const BillingDetails = z.object({
  name: z
    .string()
    .describe("The buyer's name. If it is empty, documents show the organization's name."),
  address: z.string().describe('Up to six lines, separated by line feeds.'),
  tax_id: z.string().meta({ examples: ['DE123456789'] }),
});
export type BillingDetails = z.infer<typeof BillingDetails>;

export const BillingDetailsChange = z.strictObject({
  name: PartyName.default(''),
  address: PrintedLines.default(''),
  tax_id: PartyTaxId.default(''),
});

/** Who sells or who buys, as it was when the document was issued. */
export const Party = z.object({ name: z.string(), address: z.string(), tax_id: z.string() });
export type Party = z.infer<typeof Party>;

export const Seller = Party.extend({
  note: z.string().describe('A note of the seller, such as one about taxes.'),
});
