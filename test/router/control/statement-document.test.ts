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

test('an amount of whole cents has cents, and any other has every digit', () => {
  const { totals } = statementDocument(STATEMENT, PARTIES);
  expect(totals).toEqual([
    ['Balance at the start of the month', '$0.00'],
    ['Payments', '$20.00'],
    ['Other credit', '$0.0002'],
    ['Usage', '−$0.0002456'],
    ['Balance now', '$19.9999544'],
  ]);
});

test('a month with charges of other months alone has no columns of tokens', () => {
  const document = statementDocument({ ...STATEMENT, models: [], other_months: '1.5' }, PARTIES);
  expect(document.columns).toEqual(['Model', 'Cost (USD)']);
  expect(document.lines).toEqual([
    { description: ['Difference from other months'], cells: ['1.50'] },
  ]);
});
