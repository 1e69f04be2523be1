/** Receipts and invoices as PDF files, read by another library. */
import { expect, test } from 'vitest';
import type { PrintedDocument, PrintedLine } from '../../../router/control/documents/document.ts';
import { writePdf } from '../../../router/control/documents/pdf.ts';
import { readPdf } from '../../support/read-pdf.ts';

const ISSUED = Date.UTC(2026, 10, 24);

async function pagesOf(
  lines: readonly PrintedLine[],
  total: string,
): Promise<readonly (readonly string[])[]> {
  const document: PrintedDocument = {
    title: 'Invoice',
    number: 'INV-000001',
    isTest: false,
    seller: null,
    buyer: { name: 'Lab', address: '', tax_id: '' },
    organization: 'org_1',
    facts: [],
    columns: ['Description', 'Requests', 'Input', 'of it cached', 'Output', 'USD'],
    lines,
    totals: [['Amount due', total]],
  };
  return (await readPdf(await writePdf(document, ISSUED))).map((page) => page.split('\n'));
}

test('a long figure stands in one line', async () => {
  const cells = [
    '12345678901',
    '123456789012',
    '1234567890',
    '987654321098',
    '1234567.123456789012',
  ];
  const [page] = await pagesOf([{ description: ['lab/model'], cells }], 'USD 1234567.123456789012');
  expect(page).toEqual(expect.arrayContaining([...cells, 'USD 1234567.123456789012']));
});

test('an invoice with many lines has several pages, and says how many lines it leaves out', async () => {
  const lines = Array.from({ length: 203 }, (_, n) => ({
    description: [`model ${n}`],
    cells: ['1', '2', '3', '4', '5'],
  }));
  const pages = await pagesOf(lines, 'USD 5');
  expect(pages.length).toBeGreaterThan(2);
  const texts = pages.flat();
  expect(texts.filter((text) => /^model \d+$/.test(text))).toHaveLength(200);
  expect(texts).toContain('… and 3 more lines, which the CSV of this document has.');
});
