/** What a transfer is of. */
import { expect, test } from 'vitest';
import { referenceOf } from '../../../../../router/dashboard/pages/billing/transfer-reference.ts';

test('a transfer is of its document, which has its number or the name of its kind', () => {
  const paid = { kind: 'payment', id: 'pay_1', number: 'REC-000001' } as const;
  expect(referenceOf({ document: paid, reference: 'pay_1' })).toEqual({
    kind: 'payment',
    id: 'pay_1',
    name: 'REC-000001',
  });
  const invoiced = { kind: 'invoice', id: 'inv_1', number: null } as const;
  expect(referenceOf({ document: invoiced, reference: 'req_1' })).toEqual({
    kind: 'invoice',
    id: 'inv_1',
    name: 'Invoice',
  });
});

test('without a document, a transfer is of its request or of nothing', () => {
  expect(referenceOf({ document: null, reference: 'req_1' })).toEqual({
    kind: 'request',
    id: 'req_1',
  });
  expect(referenceOf({ document: null, reference: 'grant_1' })).toBeNull();
});
