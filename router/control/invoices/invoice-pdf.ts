/** Writes an invoice as a PDF, on the thread for heavy procedures. */
import { readProcedure } from '../../store/procedure.ts';
import { writePdf } from '../documents/pdf.ts';
import { invoiceDocument } from './invoice-document.ts';
import { findInvoice, type NamedInvoice } from './procedures.ts';
import { shownDetail } from './serialize.ts';

/** `now`, in ms since the epoch, decides whether it is overdue. Null: there is no such invoice. */
export const writeInvoicePdf = readProcedure<
  NamedInvoice & Readonly<{ now: number }>,
  Uint8Array | null
>('writeInvoicePdf', { heavy: true }, async (db, { now, ...named }) => {
  const billed = await findInvoice.run(db, named);
  if (!billed) return null;
  const document = invoiceDocument(shownDetail(billed, now));
  return await writePdf(document, Number(billed.invoice.created));
});
