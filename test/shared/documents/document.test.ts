/** What all printed documents have in common. */
import { expect, test } from 'vitest';
import { taxFacts, withoutEmptyColumns } from '../../../shared/documents/document.ts';

const COLUMNS = ['Description', 'Requests', 'Tokens', 'Amount (USD)'];

test('a column that is empty in all lines is left out, and one with a single figure stays', () => {
  const lines = [
    { description: ['lab/model'], cells: ['3', '', '1.00'] },
    { description: ['Adjustment'], cells: ['', '', '12.50'] },
  ];
  expect(withoutEmptyColumns({ columns: COLUMNS, lines })).toEqual({
    columns: ['Description', 'Requests', 'Amount (USD)'],
    lines: [
      { description: ['lab/model'], cells: ['3', '1.00'] },
      { description: ['Adjustment'], cells: ['', '12.50'] },
    ],
  });
});

test('descriptions and amounts stay, also without any line', () => {
  expect(withoutEmptyColumns({ columns: COLUMNS, lines: [] }).columns).toEqual([
    'Description',
    'Amount (USD)',
  ]);
});

test('a document of a seller with a tax ID or a note says that it does not itemize taxes', () => {
  const seller = { name: 'Looms', address: '', tax_id: '', note: '' };
  expect(taxFacts(null)).toEqual([]);
  expect(taxFacts(seller)).toEqual([]);
  expect(taxFacts({ ...seller, tax_id: 'DE123456789' })).toEqual([['Tax', 'Not itemized']]);
  expect(taxFacts({ ...seller, note: 'Reverse charge' })).toEqual([
    ['Tax', 'Not itemized: see the note below'],
  ]);
});
