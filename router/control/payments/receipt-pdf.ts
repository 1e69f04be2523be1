/** Writes a receipt as a PDF, on the thread for heavy procedures. */
import { readProcedure } from '../../store/procedure.ts';
import { writePdf } from '../documents/pdf.ts';
import { findPayment, type PaymentQuery } from './procedures.ts';
import { receiptDocument, receiptOf } from './receipt-document.ts';

/** Returns null when there is no such receipt. */
export const writeReceiptPdf = readProcedure<PaymentQuery, Uint8Array | null>(
  'writeReceiptPdf',
  { heavy: true },
  async (db, asked) => {
    const answer = await findPayment.run(db, asked);
    const receipt = answer && receiptOf(answer.payment, answer.name);
    return receipt && (await writePdf(receiptDocument(receipt), Date.parse(receipt.paid)));
  },
);
