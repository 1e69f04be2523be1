/** Receipts of payments: as JSON, as a page to print, and as a PDF. */
import { z } from 'zod';
import { PaymentIdText } from '../../../shared/api/ids.ts';
import { Receipt } from '../../../shared/api/payments.ts';
import { type Api, found, Refused } from '../api.ts';
import { sendDocumentPage } from '../documents/page.ts';
import { sendPdf } from '../documents/send-pdf.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { findPayment, type PaymentQuery } from './procedures.ts';
import { receiptDocument, receiptOf } from './receipt-document.ts';

type ReceiptParts = Pick<ControlParts, 'store' | 'drawings' | 'operator'>;

const PaymentPath = OrganizationPath.extend({ payment: PaymentIdText });
/** Relative to both addresses of the page. */
const PDF = 'receipt.pdf';
const config = { access: { organization: 'read' } } as const;

export function receiptRoutes(api: Api, parts: ReceiptParts): void {
  const { contact = null } = parts.operator;
  api.get(
    '/organizations/:organization/payments/:payment/receipt',
    {
      config,
      schema: {
        summary: 'Get a receipt as JSON; if `Accept` begins with `text/html`, as a page to print',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: Receipt },
      },
    },
    async ({ params, headers: { accept = '' } }, reply) => {
      const receipt = await readReceipt(parts, params);
      // Browsers ask for HTML first. Scripts that accept anything get JSON.
      if (!accept.trimStart().startsWith('text/html')) return receipt;
      return sendDocumentPage(reply, receiptDocument(receipt, contact), PDF);
    },
  );

  api.get(
    '/organizations/:organization/payments/:payment/receipt.html',
    {
      config,
      schema: {
        summary: 'Get a receipt as a page to print',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async ({ params }, reply) =>
      sendDocumentPage(reply, receiptDocument(await readReceipt(parts, params), contact), PDF),
  );

  api.get(
    '/organizations/:organization/payments/:payment/receipt.pdf',
    {
      config,
      schema: {
        summary: 'Get a receipt as a PDF',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: { content: { 'application/pdf': { schema: z.string() } } } },
      },
    },
    async ({ params }, reply) => {
      const receipt = await readReceipt(parts, params);
      const issued = Date.parse(receipt.paid);
      const document = receiptDocument(receipt, contact);
      const pdf = await parts.drawings.draw(params.organization, document, issued);
      return sendPdf(reply, receipt.number, pdf);
    },
  );
}

async function readReceipt(
  { store }: Pick<ControlParts, 'store'>,
  asked: PaymentQuery,
): Promise<Receipt> {
  const { payment, ...known } = found(await store.call(findPayment, asked), 'payment');
  const receipt = receiptOf(payment, known);
  if (receipt) return receipt;
  throw new Refused('not_found', 'This payment has no receipt: it was not paid.');
}
