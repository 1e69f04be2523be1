/** What the next invoice has so far, as one row above the invoices, for customers and operators. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NextInvoice as SoFar } from '../../../../shared/api/invoices.ts';
import { type Charged, invoiceLines } from '../../../../shared/documents/invoice-document.ts';
import { nextInvoiceQuery } from '../../api/billing.ts';
import { exactUsd } from '../../format/usd.ts';
import { daysShown } from '../../format/utc.ts';
import { Button } from '../../parts/form/button.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { DocumentLines } from '../../parts/document-lines.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';

/** Mount it only for an organization that is invoiced. */
export function NextInvoice({ organization }: { organization: string }) {
  const query = useQuery(nextInvoiceQuery(organization));
  return (
    <div className="-mb-px border-y px-5 py-3 text-sm">
      <Loaded query={query} loading={<Skeleton className="h-5 w-64" />}>
        {(next) => <Row next={next} />}
      </Loaded>
    </div>
  );
}

function Row({ next }: { next: SoFar }) {
  const [isOpen, setOpen] = useState(false);
  const { amount_due: due, period, lines } = next;
  const days = daysShown(period.start, period.end);
  const charged = chargedOf(next);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p>
        Next invoice, so far: <span className="font-medium tabular-nums">{exactUsd(due)}</span>{' '}
        <span className="text-muted">({days})</span>
      </p>
      {lines === null && (
        <p className="text-muted">It has too many charges to list them before it is issued.</p>
      )}
      {lines?.length === 0 && due !== '0' && (
        <p className="text-muted">It is brought forward, and issued with the next charge.</p>
      )}
      {charged && (
        <Button size="small" onClick={() => setOpen(true)}>
          Show lines
        </Button>
      )}
      {charged && isOpen && (
        <Dialog
          title="Next invoice, so far"
          description={`${days} (UTC). Further charges are added until the month ends.`}
          width="widest"
          onClose={() => setOpen(false)}
        >
          <div className="-mx-5 -mb-5">
            <DocumentLines label="Lines of the next invoice" of={invoiceLines(charged)} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** Null if there is nothing to list. */
function chargedOf({ lines, total, brought_forward, amount_due }: SoFar): Charged | null {
  if (lines === null || total === null || brought_forward === null) return null;
  return lines.length === 0 ? null : { lines, total, brought_forward, amount_due };
}
