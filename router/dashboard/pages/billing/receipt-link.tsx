import type { Payment } from '../../../../shared/api/payments.ts';
import { pathOf } from '../../api/client.ts';
import { useOrganization } from '../../session.tsx';
import { PageLink } from './page-link.tsx';

/** Returns the path of the receipt: as a page to print, or as a PDF. */
export function receiptPath(
  organization: string,
  payment: string,
  form: 'html' | 'pdf' = 'html',
): string {
  return pathOf(`/organizations/${organization}/payments/${payment}/receipt.${form}`);
}

/**
 * A link to the receipt that shows its number, and one to its PDF. Renders nothing for a payment
 * without a receipt.
 */
export function ReceiptLink({ payment: { id, receipt } }: { payment: Payment }) {
  const organization = useOrganization();
  if (receipt === null) return null;
  return (
    <span className="flex flex-wrap gap-x-3">
      <PageLink href={receiptPath(organization, id)}>{receipt}</PageLink>
      <PageLink href={receiptPath(organization, id, 'pdf')}>
        PDF<span className="sr-only"> of {receipt}</span>
      </PageLink>
    </span>
  );
}
