/** Receipts of payments, as JSON and as a page to print. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { PaymentIdText } from '../../../shared/api/ids.ts';
import { Receipt } from '../../../shared/api/payments.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { html, sendPage } from '../html.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { findPayment, type PaymentQuery } from './procedures.ts';
import { receiptNumber } from './terms.ts';

type ReceiptParts = Pick<ControlParts, 'store'>;

const PaymentPath = OrganizationPath.extend({ payment: PaymentIdText });

const PURPOSE = {
  'top-up': 'Prepaid credit, top-up',
  recharge: 'Prepaid credit, automatic top-up',
  setup: 'Prepaid credit',
} as const;

export function receiptRoutes(api: Api, parts: ReceiptParts): void {
  api.get(
    '/organizations/:organization/payments/:payment/receipt',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'A receipt, as JSON or, if `Accept` begins with `text/html`, as a page to print',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: Receipt },
      },
    },
    async ({ params, headers: { accept = '' } }, reply) => {
      const receipt = await readReceipt(parts, params);
      // Browsers ask for HTML first. Scripts that accept anything get JSON.
      if (accept.trimStart().startsWith('text/html')) return sendReceipt(reply, receipt);
      return receipt;
    },
  );

  api.get(
    '/organizations/:organization/payments/:payment/receipt.html',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'A receipt as a page to print',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async ({ params }, reply) => sendReceipt(reply, await readReceipt(parts, params)),
  );
}

async function readReceipt({ store }: ReceiptParts, asked: PaymentQuery): Promise<Receipt> {
  const { payment, name } = found(await store.call(findPayment, asked), 'payment');
  const { id, organization, paid, refunded, receipt, ended } = payment;
  if (receipt === null || paid === null || ended === null) {
    throw new Refused('not_found', 'This payment has no receipt: it was not paid.');
  }
  return {
    number: receiptNumber(receipt),
    payment: id,
    organization: { id: organization, name },
    paid: isoInstant(ended),
    description: PURPOSE[payment.purpose],
    currency: 'USD',
    amount: formatUsd(paid),
    refunded: formatUsd(refunded),
    provider: payment.provider,
    reference: payment.reference,
  };
}

function sendReceipt(reply: FastifyReply, receipt: Receipt): FastifyReply {
  const { number, organization, paid, description, amount, refunded, provider } = receipt;
  const isTest = provider === 'sandbox';
  const body = html`${isTest ? html`<p class="test">This is a test. No money moved.</p>` : null}
<h1>Receipt ${number}</h1>
<table><tbody>
<tr><th scope="row">Paid by</th><td>${organization.name}<br>${organization.id}</td></tr>
<tr><th scope="row">Paid on</th><td>${paid}</td></tr>
<tr><th scope="row">For</th><td>${description}</td></tr>
<tr><th scope="row">Amount</th><td class="amount">USD ${amount}</td></tr>
${refunded === '0' ? null : html`<tr><th scope="row">Refunded</th><td class="amount">USD ${refunded}</td></tr>`}
<tr><th scope="row">Payment</th><td>${receipt.payment}<br>${receipt.reference ?? ''}</td></tr>
</tbody></table>`;
  return sendPage(reply, { title: `Receipt ${number}`, body });
}
