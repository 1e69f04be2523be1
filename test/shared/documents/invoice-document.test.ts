/** What is printed on an invoice. */
import { expect, test } from 'vitest';
import { invoiceDocument } from '../../../shared/documents/invoice-document.ts';
import type { InvoiceDetail } from '../../../shared/api/invoices.ts';

const INVOICE: InvoiceDetail = {
  id: 'inv_00000000000000000000000000',
  organization: 'org_00000000000000000000000000',
  number: 'INV-000001',
  billed_to: 'Acme',
  seller: null,
  buyer: { name: 'Acme', address: '', tax_id: '' },
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  first_transfer: 1,
  last_transfer: 2,
  total: '0',
  brought_forward: '0',
  amount_due: '0',
  terms_days: 30,
  due: '2026-12-31T00:00:00.000Z',
  overdue: false,
  status: 'open',
  reference: null,
  ended: null,
  created: '2026-12-01T00:00:00.000Z',
  lines: [],
};

test.each([
  [
    '12',
    '0',
    '12',
    [
      ['Total', '$12.00'],
      ['Credit brought forward', '$0.00'],
    ],
  ],
  [
    '12',
    '5',
    '7',
    [
      ['Total', '$12.00'],
      ['Credit brought forward', '−$5.00'],
    ],
  ],
  [
    '12',
    '-5',
    '17',
    [
      ['Total', '$12.00'],
      ['Debt brought forward', '$5.00'],
    ],
  ],
  [
    '-100',
    '4.5',
    '0',
    [
      ['Total', '−$100.00'],
      ['Credit brought forward', '−$4.50'],
      ['Credit carried forward', '$104.50'],
    ],
  ],
  [
    '12.345678',
    '0',
    '12.34',
    [
      ['Total', '$12.345678'],
      ['Credit brought forward', '$0.00'],
      ['Less than a cent, carried forward', '−$0.005678'],
    ],
  ],
  [
    '0.004322',
    '-0.005678',
    '0.01',
    [
      ['Total', '$0.004322'],
      ['Debt brought forward', '$0.005678'],
    ],
  ],
] as const)(
  'a total of %s with %s brought forward adds up to %s due',
  (total, brought_forward, amount_due, above) => {
    const { totals } = invoiceDocument({ ...INVOICE, total, brought_forward, amount_due }, null);
    expect(totals.slice(0, -1)).toEqual(above);
    const sum = above.reduce(
      (all, [, amount]) => all + Number(amount.replace('−', '-').replace('$', '')),
      0,
    );
    expect(totals.at(-1)).toEqual(['Amount due', `$${sum.toFixed(2)}`]);
  },
);

test.each([
  ['open', null, '12.34', ['Due', 'Dec 31, 2026'], 'Amount due: $12.34 by Dec 31, 2026'],
  [
    'paid',
    '2026-12-09T00:00:00.000Z',
    '12.34',
    ['Paid', 'Dec 9, 2026'],
    'Paid: $12.34 on Dec 9, 2026',
  ],
  ['void', '2026-12-09T00:00:00.000Z', '12.34', ['Voided', 'Dec 9, 2026'], undefined],
  ['paid', '2026-12-01T00:00:00.000Z', '0', ['Due', 'Nothing to pay'], undefined],
] as const)(
  'an invoice that is %s since %s, with %s due, says so',
  (status, ended, due, fact, said) => {
    const invoice = { ...INVOICE, status, ended, amount_due: due };
    const { facts, headline, totals } = invoiceDocument(invoice, null);
    const names = ['Due', 'Paid', 'Voided'];
    expect(facts.filter(([name]) => names.includes(name))).toEqual([fact]);
    expect(headline).toBe(said);
    const isPaid = said?.startsWith('Paid') === true;
    expect(totals.at(-1)?.[0]).toBe(isPaid ? 'Amount paid' : 'Amount due');
  },
);

const ADJUSTMENT = {
  kind: 'adjustment',
  model: null,
  count: 1,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  unit_prices: null,
  amount: '12.5',
  reason: 'Set-up',
  created: '2026-11-29T00:00:00.000Z',
};

test('the amounts of the lines have as many decimals as the one with most of them', () => {
  const charge = { ...ADJUSTMENT, amount: '11.005678' };
  const longest = { ...ADJUSTMENT, amount: '0.00000001' };
  const { lines } = invoiceDocument({ ...INVOICE, lines: [ADJUSTMENT, charge, longest] }, null);
  expect(lines.map(({ cells }) => cells)).toEqual([
    ['12.50000000'],
    ['11.00567800'],
    ['0.00000001'],
  ]);
});

test('an invoice of adjustments alone has no columns of requests and tokens', () => {
  const { columns, lines } = invoiceDocument({ ...INVOICE, lines: [ADJUSTMENT] }, null);
  expect(columns).toEqual(['Description', 'Amount (USD)']);
  expect(lines).toEqual([
    { description: ['Adjustment: Set-up', 'Nov 29, 2026'], cells: ['12.50'] },
  ]);
});
