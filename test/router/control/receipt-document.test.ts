/** What is printed on a receipt about refunds. */
import { expect, test } from 'vitest';
import { receiptDocument } from '../../../router/control/payments/receipt-document.ts';
import type { Receipt } from '../../../shared/api/payments.ts';

const RECEIPT: Receipt = {
  number: 'REC-000001',
  payment: 'pay_1',
  organization: { id: 'org_1', name: 'Lab' },
  seller: null,
  buyer: { name: 'Lab', address: '', tax_id: '' },
  paid: '2026-11-26T20:00:00.000Z',
  description: 'Prepaid credit, top-up',
  currency: 'USD',
  amount: '20',
  refunded: '0',
  refund_pending: '0',
  provider: 'sandbox',
  method: null,
  reference: null,
};

function printed(refunded: string, pending: string) {
  const receipt = { ...RECEIPT, refunded, refund_pending: pending };
  const { status, totals } = receiptDocument(receipt, null);
  return { status: status.name, totals: totals.slice(1) };
}

test('without refunds, the total is what was paid', () => {
  expect(printed('0', '0')).toEqual({ status: 'Paid', totals: [] });
});

test('confirmed refunds are refunded', () => {
  expect(printed('12.34', '0')).toEqual({
    status: 'Partially refunded',
    totals: [
      ['Refunded', '−$12.34'],
      ['Paid after refunds', '$7.66'],
    ],
  });
  expect(printed('20', '0').status).toBe('Refunded');
});

test('refunds that the provider has not confirmed have a row of their own', () => {
  expect(printed('12.34', '2.34')).toEqual({
    status: 'Refund pending',
    totals: [
      ['Refunded', '−$10.00'],
      ['Refund pending', '−$2.34'],
      ['Paid after refunds, including pending ones', '$7.66'],
    ],
  });
  expect(printed('20', '20')).toEqual({
    status: 'Refund pending',
    totals: [
      ['Refund pending', '−$20.00'],
      ['Paid after refunds, including pending ones', '$0.00'],
    ],
  });
});
