import type { BillingView } from '../../search.ts';

export const VIEW_NAMES: Readonly<Record<BillingView, string>> = {
  credit: 'Credit',
  activity: 'Activity',
  payments: 'Payments',
  statements: 'Statements',
  budget: 'Budget',
};
