/** A receipt or an invoice as a page to print, on A4 or letter paper. */
import type { FastifyReply } from 'fastify';
import { html, type Markup, sendPage } from '../html.ts';
import { linesOf, type PrintedDocument, type PrintedLine } from './document.ts';

export function sendDocumentPage(reply: FastifyReply, document: PrintedDocument): FastifyReply {
  const title = `${document.title} ${document.number}`;
  const body = html`${document.isTest ? html`<p class="test">This is a test. No money moved.</p>` : null}
<h1>${title}</h1>
<table><tbody>
${document.seller && partyRow('Seller', linesOf(document.seller))}
${partyRow('Buyer', [...linesOf(document.buyer), document.organization])}
${document.facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
</tbody></table>
<div class="wide"><table class="figures">
<thead><tr>${document.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${document.lines.map(lineRow)}</tbody>
<tfoot>${document.totals.map(([name, amount]) => totalRow(name, amount, document.columns.length))}</tfoot>
</table></div>
${document.seller && document.seller.note !== '' ? html`<p>${document.seller.note}</p>` : null}`;
  return sendPage(reply, { title, body });
}

function partyRow(name: string, lines: readonly string[]): Markup {
  const broken = lines.map(
    (line, index) => html`${index === 0 ? null : html`<br>`}<bdi>${line}</bdi>`,
  );
  return html`<tr><th scope="row">${name}</th><td>${broken}</td></tr>`;
}

function lineRow({ description: [first = '', ...more], cells }: PrintedLine): Markup {
  return html`<tr><td>${first}${more.map((line) => html`<br><small>${line}</small>`)}</td>
${cells.map((cell) => html`<td class="amount">${cell}</td>`)}</tr>
`;
}

function totalRow(name: string, amount: string, columns: number): Markup {
  return html`<tr><th scope="row" colspan="${columns - 1}">${name}</th><td class="amount">${amount}</td></tr>
`;
}
