import type { Payment } from '../../../../shared/api/payments.ts';
import { pathOf } from '../../api/client.ts';
import { useOrganization } from '../../session.tsx';
import { PageLink } from './page-link.tsx';

/** Returns the path of the receipt as a page to print. */
export function receiptPath(organization: string, payment: string): string {
  return pathOf(`/organizations/${organization}/payments/${payment}/receipt.html`);
}

/** A link that shows the receipt's number. Renders nothing for a payment without a receipt. */
export function ReceiptLink({ payment: { id, receipt } }: { payment: Payment }) {
  const organization = useOrganization();
  if (receipt === null) return null;
  return <PageLink href={receiptPath(organization, id)}>{receipt}</PageLink>;
}
