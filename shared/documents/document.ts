/** What receipts, invoices and statements have in common, so that each is printed in one way. */
import type { Party, Seller } from '../api/billing-details.ts';
import type { z } from 'zod';
import { SERVICE_NAME } from '../service-name.ts';

export type PrintedLine = Readonly<{
  /** The description: the first line, and smaller ones below it. */
  description: readonly string[];
  /** One for each column after the first, the amount last. */
  cells: readonly string[];
}>;

export type PrintedDocument = Readonly<{
  title: string;
  number: string;
  /** Such as `Paid`. */
  status: Readonly<{ name: string; tone: 'good' | 'bad' | 'neutral' }>;
  /** Whether nothing was really paid. */
  isTest: boolean;
  /** Null if none was configured when the document was issued. */
  seller: z.infer<typeof Seller> | null;
  buyer: Party;
  /** Where questions about the document go: a mail address or a URL. Null if none is configured. */
  contact: string | null;
  /** In large letters at the top: how much is to be paid, and by when, or when it was paid. */
  headline?: string;
  facts: readonly (readonly [name: string, value: string])[];
  /** The first column is that of the descriptions; the others are figures. */
  columns: readonly string[];
  lines: readonly PrintedLine[];
  /** What the lines add up to, column by column, if the totals below do not begin with it. */
  sum?: PrintedLine;
  /** Below the lines; the last is what counts. */
  totals: readonly (readonly [name: string, amount: string])[];
  /** How to pay, line by line, while it is to be paid. */
  payment?: readonly string[];
  /** How the figures are to be read, if that needs words. */
  explanation?: string;
}>;

/**
 * The fact about taxes. Nothing calculates them: the amounts are what was paid. A note of the seller
 * is printed below the totals. A seller with neither a note nor a tax ID says nothing about taxes.
 */
export function taxFacts(seller: PrintedDocument['seller']): PrintedDocument['facts'] {
  if (seller === null) return [];
  if (seller.note !== '') return [['Tax', 'Not itemized: see the note below']];
  return seller.tax_id === '' ? [] : [['Tax', 'Not itemized']];
}

/** Leaves out the columns that are empty in all lines. Descriptions and amounts always stay. */
export function withoutEmptyColumns<Of extends Pick<PrintedDocument, 'columns' | 'lines' | 'sum'>>(
  document: Of,
): Of {
  const { columns, lines, sum } = document;
  const isShown = (at: number) =>
    at === columns.length - 2 || lines.some(({ cells }) => (cells[at] ?? '') !== '');
  const shownOf = (line: PrintedLine) => ({
    ...line,
    cells: line.cells.filter((_, at) => isShown(at)),
  });
  return {
    ...document,
    columns: columns.filter((_, at) => at === 0 || isShown(at - 1)),
    lines: lines.map(shownOf),
    ...(sum && { sum: shownOf(sum) }),
  };
}

/** The lines of a party: its name, its address and its tax ID. */
export function linesOf({ name, address, tax_id: taxId }: Party): string[] {
  const lines = [name, ...address.split('\n'), taxId === '' ? '' : `Tax ID: ${taxId}`];
  return lines.filter((line) => line !== '');
}

/** The lines of the seller. Without a configured one, the document names the service. */
export function sellerLines({ seller }: Pick<PrintedDocument, 'seller'>): string[] {
  return seller === null ? [SERVICE_NAME] : linesOf(seller);
}
