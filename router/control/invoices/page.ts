/** Renders an invoice as a page to print. */
import type { FastifyReply } from 'fastify';
import type { InvoiceDetail, InvoiceLine } from '../../../shared/api/invoices.ts';
import { html, type Markup, sendPage } from '../html.ts';

const STATUS = { open: 'Open', paid: 'Paid', void: 'Void: not to be paid' } as const;

export function sendInvoicePage(reply: FastifyReply, invoice: InvoiceDetail): FastifyReply {
  const { number, billed_to, organization, period, status, overdue, lines } = invoice;
  const body = html`<h1>Invoice ${number}</h1>
<table>
<tr><th>To</th><td>${billed_to}<br>${organization}</td></tr>
<tr><th>Period (UTC)</th><td>${day(period.start)} to ${lastDay(period.end)}</td></tr>
<tr><th>Issued</th><td>${day(invoice.created)}</td></tr>
<tr><th>Due</th><td>${day(invoice.due)}, ${invoice.terms_days} days after it was issued</td></tr>
<tr><th>Status</th><td>${STATUS[status]}${overdue ? ', overdue' : ''}</td></tr>
</table>
<table>
<tr><th>What</th><th>Requests</th><th>Input</th><th>of it cached</th><th>Output</th><th>USD</th></tr>
${lines.map(rowOf)}
<tr><th>Total</th><td></td><td></td><td></td><td></td>${amount(invoice.total)}</tr>
<tr><th>Credit brought forward</th><td></td><td></td><td></td><td></td>${amount(invoice.brought_forward)}</tr>
<tr><th>Amount due</th><td></td><td></td><td></td><td></td>${amount(invoice.amount_due)}</tr>
</table>`;
  return sendPage(reply, { title: `Invoice ${number}`, body });
}

function rowOf(line: InvoiceLine): Markup {
  const { kind, model, unit_prices: prices } = line;
  const price =
    prices &&
    html`<br>USD a token: ${prices.prompt} input, ${prices.cached} cached, ${prices.completion} output`;
  const isUsage = kind === 'usage';
  return html`<tr><td>${model ?? kind.replaceAll('_', ' ')}${price}</td><td>${line.count}</td>
<td>${isUsage ? line.prompt_tokens : ''}</td><td>${isUsage ? line.cached_tokens : ''}</td>
<td>${isUsage ? line.completion_tokens : ''}</td>${amount(line.amount)}</tr>
`;
}

function amount(usd: string): Markup {
  return html`<td class="amount">${usd}</td>`;
}

function day(instant: string): string {
  return instant.slice(0, 10);
}

/** Returns the last day of a period. `end` is the first instant after it. */
function lastDay(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
}
