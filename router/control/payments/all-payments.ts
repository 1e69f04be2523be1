/** The payments of all organizations as operators get them: as JSON and as CSV. */
import type { CustomerPayment, WholePaymentQuery } from '../../../shared/api/payments.ts';
import type { Columns } from '../csv-file.ts';
import type { NamedPayment, PaymentsQuery } from './list-all.ts';
import { shownPayment } from './terms.ts';

export function listingOf(query: WholePaymentQuery): PaymentsQuery {
  const { search = null, status = null, purpose = null, from = null, until = null } = query;
  const { after = null, limit } = query;
  return { search, status, purpose, from, until, after, limit };
}

export function shownOfCustomer(row: NamedPayment): CustomerPayment {
  const { organization, organizationName: name } = row;
  return { ...shownPayment(row), organization, organization_name: name === '' ? null : name };
}

export const CSV_COLUMNS: Columns<CustomerPayment> = {
  id: ({ id }) => id,
  created: ({ created }) => created,
  organization: ({ organization }) => organization,
  organization_name: ({ organization_name: name }) => name,
  purpose: ({ purpose }) => purpose,
  provider: ({ provider }) => provider,
  state: ({ state }) => state,
  reason: ({ reason }) => reason,
  amount: ({ amount }) => amount,
  paid: ({ paid }) => paid,
  refunded: ({ refunded }) => refunded,
  refund_pending: (payment) => payment.refund_pending,
  disputed: ({ disputed }) => disputed,
  receipt: ({ receipt }) => receipt,
  ended: ({ ended }) => ended,
  refund_failed: (payment) => payment.refund_failed ?? null,
};
