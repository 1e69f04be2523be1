import { Link } from '@tanstack/react-router';

/** Leads to the page of an invoice. */
export function InvoiceLink({ id, number }: Readonly<{ id: string; number: string }>) {
  return (
    <Link
      to="/operator/invoices/$invoice"
      params={{ invoice: id }}
      className="font-medium whitespace-nowrap hover:underline"
    >
      {number}
    </Link>
  );
}
