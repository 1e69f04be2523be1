/** What is printed on the statement of a month. */
import { expect, test } from 'vitest';
import { statementDocument } from '../../../router/control/statements/statement-document.ts';
import type { Statement } from '../../../shared/api/statements.ts';

const COUNTS = {
  requests: 2,
  prompt_tokens: 28,
  cached_tokens: 0,
  completion_tokens: 400,
  reasoning_tokens: 0,
};

const STATEMENT: Statement = {
  month: '2026-11',
  start: '2026-11-01T00:00:00.000Z',
  end: '2026-12-01T00:00:00.000Z',
  is_over: false,
  ...COUNTS,
  opening: '0',
  payments: '20',
  credits: '0.0002',
  refunds: '0',
  total: '0.0002456',
  other_months: '0',
  closing: '19.9999544',
  models: [{ model: 'lab/a', ...COUNTS, cost: '0.0002456' }],
};

const PARTIES = {
  organization: 'org_1',
  seller: null,
  buyer: { name: 'Lab', address: '', tax_id: '' },
  contact: null,
  isSandbox: false,
};

test('all amounts have every digit and as many decimals, so that they can be read below each other', () => {
  const models = [
    { model: 'lab/b', ...COUNTS, cost: '1' },
    { model: 'lab/a', ...COUNTS, cost: '0.0002456' },
  ];
  const { lines, sum, totals } = statementDocument(
    { ...STATEMENT, models, total: '1.0002456', closing: '18.9999544' },
    PARTIES,
  );
  expect(lines.map(({ cells }) => cells.at(-1))).toEqual(['1.0000000', '0.0002456']);
  expect(sum?.cells.at(-1)).toBe('1.0002456');
  expect(totals).toEqual([
    ['Balance at the start of the month', '$0.0000000'],
    ['Payments', '$20.0000000'],
    ['Other credit', '$0.0002000'],
    ['Usage', '−$1.0002456'],
    ['Balance now', '$18.9999544'],
  ]);
});

test('a month of whole cents has cents', () => {
  const { totals, headline } = statementDocument(
    { ...STATEMENT, is_over: true, models: [], credits: '0', total: '0', closing: '20' },
    PARTIES,
  );
  expect(totals.at(-1)).toEqual(['Balance at the end of the month', '$20.00']);
  expect(headline).toBe('$0.00 charged');
});

test('the lines add up to a total, which stands at the top, too', () => {
  const { headline, sum, columns } = statementDocument(STATEMENT, PARTIES);
  expect(headline).toBe('$0.0002456 charged so far');
  expect(sum).toEqual({ description: ['Total'], cells: ['2', '28', '0', '400', '0.0002456'] });
  expect(columns).toHaveLength(6);
});

test('a month with charges of other months alone has no columns of tokens', () => {
  const document = statementDocument(
    { ...STATEMENT, models: [], other_months: '1.5', total: '1.5', closing: '18.5', credits: '0' },
    PARTIES,
  );
  expect(document.columns).toEqual(['Model', 'Cost (USD)']);
  expect(document.lines).toEqual([
    { description: ['Difference from other months'], cells: ['1.50'] },
  ]);
  expect(document.sum).toEqual({ description: ['Total'], cells: ['1.50'] });
});
