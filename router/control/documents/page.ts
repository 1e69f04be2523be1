/** A document as a page to print, on A4 or letter paper. */
import type { FastifyReply } from 'fastify';
import { contactHref } from '../../../shared/contact.ts';
import { html, type Markup, sendPage } from '../html.ts';
import {
  linesOf,
  type PrintedDocument,
  type PrintedLine,
  sellerLines,
} from '../../../shared/documents/document.ts';
import { withoutFill } from '../../../shared/documents/words.ts';

/** `pdf` is the address of the same document as a PDF, relative to that of the page. */
export function sendDocumentPage(
  reply: FastifyReply,
  document: PrintedDocument,
  pdf: string,
): FastifyReply {
  const title = `${document.title} ${document.number}`;
  const { note = '' } = document.seller ?? {};
  const { payment = [] } = document;
  const body = html`${document.isTest ? html`<p class="notice"><strong>This is a test. No money moved.</strong></p>` : null}
<div class="title"><h1>${title}</h1><span class="badge ${document.status.tone}">${document.status.name}</span>
<a class="button" href="${pdf}">Open PDF</a></div>
<div class="panel">
${document.headline === undefined ? null : html`<p class="headline">${document.headline}</p>`}
<div class="parties">${party('Seller', sellerLines(document), contactLine(document))}${party('Billed to', linesOf(document.buyer))}</div>
<dl>${document.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<div class="wide"><table class="figures lines">
<thead><tr>${document.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${document.lines.map((line) => lineRow(line, document.columns))}</tbody>
${document.sum === undefined ? null : html`<tfoot>${lineRow(document.sum, document.columns)}</tfoot>`}
</table>
<table class="figures totals"><tbody>${document.totals.map(totalRow)}</tbody></table></div>
${payment.length === 0 ? null : html`<div class="payment">${party('How to pay', payment)}</div>`}
${document.explanation === undefined ? null : html`<p class="note">${document.explanation}</p>`}
${note === '' ? null : html`<p class="note">${note}</p>`}
</div>`;
  return sendPage(reply, { title, body });
}

function contactLine({ contact }: PrintedDocument): Markup | null {
  return contact === null
    ? null
    : html`<br>Contact: <a href="${contactHref(contact)}">${contact}</a>`;
}

function party(name: string, lines: readonly string[], below: Markup | null = null): Markup {
  const broken = lines.map(
    (line, index) => html`${index === 0 ? null : html`<br>`}<bdi>${line}</bdi>`,
  );
  return html`<div><h2>${name}</h2><p>${broken}${below}</p></div>`;
}

/** On a phone, the names of the columns stand beside the figures (page-style.ts). */
function lineRow(
  { description: [first = '', ...more], cells }: PrintedLine,
  [, ...columns]: readonly string[],
): Markup {
  return html`<tr><td>${first}${more.map((line) => html`<br><small>${line}</small>`)}</td>
${cells.map((cell, at) => html`<td data-name="${columns[at] ?? ''}">${figure(cell)}</td>`)}</tr>
`;
}

/** Zeros that only fill a column up take their room, so that the points are below each other. */
function figure(text: string): Markup {
  const [own, fill] = withoutFill(text);
  return html`${own}${fill === '' ? null : html`<span class="fill">${fill}</span>`}`;
}

function totalRow([name, amount]: PrintedDocument['totals'][number]): Markup {
  return html`<tr><th scope="row">${name}</th><td>${figure(amount)}</td></tr>
`;
}
