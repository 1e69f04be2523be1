/** `penstock admin invoice …` */
import { z } from 'zod';
import { InvoiceIdText } from '../../shared/api/ids.ts';
import {
  Invoice,
  InvoiceDetail,
  type InvoiceLine,
  InvoicePaid,
  InvoiceSent,
  NextInvoice,
} from '../../shared/api/invoices.ts';
import { command, usd } from './command.ts';
import { idempotencyKey, organization } from './flags.ts';

const invoice = InvoiceIdText;
const words = z.string().trim().min(1).max(200);

export const invoices = {
  list: command(
    {
      organization: organization.optional(),
      status: z.enum(['open', 'paid', 'void']).optional(),
    },
    async ({ client, list }, { organization: owner, status }) => {
      const path = owner === undefined ? '/invoices' : `/organizations/${owner}/invoices`;
      await list(client.pages(path, Invoice, { status }), fields);
    },
  ),
  show: command({ organization, invoice }, async ({ client, show }, flags) =>
    show(await client.call('GET', pathOf(flags), InvoiceDetail), (shown) => ({
      ...fields(shown),
      total: usd(shown.total),
      'brought forward': usd(shown.brought_forward),
      'carried forward': usd(shown.carried_forward ?? null),
      ...lineFields(shown.lines),
    })),
  ),
  next: command({ organization }, async ({ client, show }, { organization: owner }) =>
    show(
      await client.call('GET', `/organizations/${owner}/invoices/next`, NextInvoice),
      (next) => ({
        organization: next.organization,
        month: next.period.start.slice(0, 7),
        until: next.period.end,
        'amount due': usd(next.amount_due),
        total: usd(next.total),
        'brought forward': usd(next.brought_forward),
        'carried forward': usd(next.carried_forward),
        ...(next.lines
          ? lineFields(next.lines)
          : { lines: 'too many to list before it is issued' }),
      }),
    ),
  ),
  paid: command(
    { organization, invoice, reference: words, paidOn: InvoicePaid.shape.paid_on, idempotencyKey },
    async ({ client, show }, { reference, paidOn, idempotencyKey: key, ...flags }) => {
      const path = `${pathOf(flags)}/paid`;
      const paid = await client.callOnce(path, InvoiceDetail, { reference, paid_on: paidOn }, key);
      await show(paid, fields);
    },
  ),
  send: command(
    { organization, invoice, idempotencyKey },
    async ({ client, show }, { idempotencyKey: key, ...flags }) => {
      const sent = await client.callOnce(`${pathOf(flags)}/send`, InvoiceSent, {}, key);
      await show(sent, ({ id, number, recipients }) => ({ id, number, to: recipients.join(', ') }));
    },
  ),
  void: command(
    { organization, invoice, reason: words, idempotencyKey },
    async ({ client, show }, { reason, idempotencyKey: key, ...flags }) => {
      const path = `${pathOf(flags)}/void`;
      const gone = await client.callOnce(path, InvoiceDetail, { reason }, key);
      await show(gone, fields);
    },
  ),
};

function pathOf(flags: { organization: string; invoice: string }): string {
  return `/organizations/${flags.organization}/invoices/${flags.invoice}`;
}

function lineFields(lines: readonly InvoiceLine[]) {
  return Object.fromEntries(
    lines.map((line, index) => [
      `line ${index + 1}`,
      `${line.model ?? line.kind}: ${line.count}, USD ${line.amount}${line.reason ? ` (${line.reason})` : ''}`,
    ]),
  );
}

function fields(shown: Invoice) {
  return {
    id: shown.id,
    number: shown.number,
    organization: shown.organization,
    month: shown.period.start.slice(0, 7),
    'amount due': usd(shown.amount_due),
    due: shown.due.slice(0, 10),
    status: shown.overdue ? 'overdue' : shown.status,
    reference: shown.reference,
  };
}
