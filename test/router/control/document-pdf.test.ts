/** Receipts and invoices as PDF files, read by another library. */
import { expect, test } from 'vitest';
import type { PrintedDocument, PrintedLine } from '../../../shared/documents/document.ts';
import { writePdf } from '../../../router/control/documents/pdf.ts';
import { type PlacedText, readPdf, readPlacedText } from '../../support/read-pdf.ts';

const ISSUED = Date.UTC(2026, 10, 24);

const EMPTY: PrintedDocument = {
  title: 'Invoice',
  number: 'INV-000001',
  status: { name: 'Open', tone: 'neutral' },
  isTest: false,
  seller: null,
  contact: null,
  buyer: { name: 'Lab', address: '', tax_id: '' },
  facts: [],
  columns: [
    'Description',
    'Requests',
    'Prompt tokens',
    'Cached tokens',
    'Completion tokens',
    'Amount (USD)',
  ],
  lines: [],
  totals: [],
};

async function pagesOf(
  lines: readonly PrintedLine[],
  total: string,
): Promise<readonly (readonly string[])[]> {
  const document = { ...EMPTY, lines, totals: [['Amount due', total]] } as const;
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

test('the name of a model and a reason stand in one line beside their figures', async () => {
  const names = ['qwen/qwen3-235b-a22b-instruct-2507', 'Adjustment: Setup fee as agreed'];
  const cells = ['1,234,567', '123,456,789', '123,456,789', '123,456,789', '1,234.56789'];
  const prices = 'Per million tokens: $0.20 prompt, $0.10 cached, $0.60 completion';
  const lines = names.map((name) => ({ description: [name, prices], cells }));
  const [page] = await pagesOf(lines, '$2,469.14');
  expect(page).toEqual(expect.arrayContaining([...names, prices, ...cells]));
});

test('the sum of the lines is a row of its own, and the totals follow at the right', async () => {
  const cells = ['2', '28', '0', '400', '0.0002456'];
  const pdf = await writePdf(
    {
      ...EMPTY,
      lines: [{ description: ['lab/a'], cells }],
      sum: { description: ['Total'], cells },
      totals: [
        ['Payments', '$20.0000000'],
        ['Other credit', '$10.0002000'],
        ['Balance now', '$19.9999544'],
      ],
    },
    ISSUED,
  );
  const placed = await readPlacedText(pdf);
  const at = (glyphs: string) => placed.find((one) => one.glyphs === glyphs);
  const [line, sum, payments] = ['lab/a', 'Total', 'Payments'].map(at);
  expect(sum?.x).toBe(line?.x);
  expect(sum?.y).toBeGreaterThan(line?.y ?? Infinity);
  expect(payments?.y).toBeGreaterThan(sum?.y ?? Infinity);
  // Not at the other edge of the page than its amount.
  expect(payments?.x).toBeGreaterThan(200);
  expect(placed.filter(({ glyphs }) => glyphs === '400')).toHaveLength(2);
  // Zeros that would only fill the column up are left out, and the points are below each other.
  expect(at('$20.00')?.x).toBeCloseTo(at('$10.0002')?.x ?? 0, 3);
});

test('how much is due, and by when, stands above everything else but the number', async () => {
  const headline = 'Amount due: $12.34 by Dec 30, 2026';
  const pdf = await writePdf({ ...EMPTY, headline }, ISSUED);
  const [page = ''] = await readPdf(pdf);
  expect(page).toContain(headline);
  expect(page.indexOf(headline)).toBeLessThan(page.indexOf('Seller'));
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

/** Draws a name beside the word "Name", and returns its words, from the left, line by line. */
async function drawn(name: string): Promise<PlacedText[][]> {
  const document: PrintedDocument = { ...EMPTY, facts: [['Name', name]] };
  const placed = await readPlacedText(await writePdf(document, ISSUED));
  const from = placed.findIndex(({ glyphs }) => glyphs === 'Name');
  const to = placed.findIndex(({ glyphs }) => glyphs === 'Description');
  const words = placed.slice(from + 1, to);
  const lines = [...Map.groupBy(words, ({ y }) => y)].toSorted(([a], [b]) => a - b);
  return lines.map(([, line]) => line.toSorted((a, b) => a.x - b.x));
}

const LEFT = 150;
/** The right edge of A4 paper without the margin. */
const RIGHT = 545.28;

// Each word is written here as its glyphs stand on paper, from the left to the right.
test.each([
  ['a Hebrew name of two words', 'שלום עולם', ['םלוע', 'םולש']],
  ['a Hebrew name with a Latin word', 'מחקר ABC בע"מ', ['מ"עב', 'ABC', 'רקחמ']],
  ['a Latin name with Hebrew words', 'Lab שלום עולם Ltd', ['Lab', 'םלוע', 'םולש', 'Ltd']],
  ['a Hebrew name with numbers', 'רחוב 12 34', ['34', '12', 'בוחר']],
  ['a Hebrew name with brackets', 'עולם (שלום)', ['(םולש)', 'םלוע']],
  ['a Latin name that ends with brackets', 'Lab (שלום)', ['Lab', '(', 'םולש', ')']],
  ['two scripts in one word', 'אAB', ['AB', 'א']],
  ['an Arabic name with its own numbers', 'شركة المثال ١٢٣', ['١٢٣', 'لاثملا', 'ةكرش']],
])('%s is read from the right in the PDF', async (_, name, words) => {
  const [line = [], ...more] = await drawn(name);
  expect(more).toEqual([]);
  expect(line.map(({ glyphs }) => glyphs)).toEqual(words);
  expect(line[0]?.x).toBeCloseTo(LEFT);
  // Each begins where the one before ends, or a space after that.
  for (const [at, { x }] of line.slice(1).entries()) expect(x).toBeGreaterThan(line[at]?.x ?? x);
});

test('a long Hebrew name goes on in the next line, and each line is read from the right', async () => {
  const words = Array.from({ length: 40 }, (_, n) => `${'מחקר'.slice(n % 3)} ${n}`);
  const lines = await drawn(words.join(' '));
  expect(lines.length).toBeGreaterThan(1);
  const backwards = (text: string) => Array.from(text).toReversed().join('');
  const read = lines.flatMap((line) =>
    line.toReversed().map(({ glyphs }) => (/\d/.test(glyphs) ? glyphs : backwards(glyphs))),
  );
  expect(read.join(' ')).toBe(words.join(' '));
  for (const { x } of lines.flat()) expect(x).toBeLessThan(RIGHT);
});

test('a Hebrew word that is longer than a line is cut', async () => {
  const lines = await drawn('אב'.repeat(100));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.map((line) => line.length)).toEqual(lines.map(() => 1));
  const read = lines.flat().map(({ glyphs }) => Array.from(glyphs).toReversed().join(''));
  expect(read.join('')).toBe('אב'.repeat(100));
});
