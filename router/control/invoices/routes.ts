import { InvoiceIdText } from '../../../shared/api/ids.ts';
import {
  InvoiceDetail,
  InvoiceFormat,
  InvoicePage,
  InvoicePaid,
  InvoiceQuery,
  InvoiceSent,
  InvoiceTotals,
  InvoiceVoid,
  NextInvoice,
  WholeInvoiceQuery,
} from '../../../shared/api/invoices.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import { sendDocumentPage } from '../documents/page.ts';
import { sendPdf } from '../documents/send-pdf.ts';
import { Idempotent } from '../idempotency/header.ts';
import { unlessReused } from '../idempotency/idempotent.ts';
import { inAnyForm, inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { formatOf } from './format.ts';
import { invoiceDocument } from '../../../shared/documents/invoice-document.ts';
import { cursorOf, INVOICES_CSV_MAX, listingOf, sendInvoices } from './all-invoices.ts';
import { listInvoices, NEWEST_FIRST } from './list.ts';
import { nextInvoice } from './next.ts';
import {
  type Billed,
  findInvoice,
  type Paid,
  payInvoiceOnce,
  voidInvoiceOnce,
} from './procedures.ts';
import { sendInvoiceAgainOnce } from './send-again.ts';
import { invoiceCsv, shownDetail, shownInvoice } from './serialize.ts';
import { shownTotals, sumInvoices } from './totals.ts';

export type InvoiceParts = Pick<
  ControlParts,
  'store' | 'clock' | 'drawings' | 'operator' | 'seller'
>;

const InvoicePath = OrganizationPath.extend({ invoice: InvoiceIdText });

export function invoiceRoutes(api: Api, parts: InvoiceParts): void {
  readingRoutes(api, parts);
  endingRoutes(api, parts);
  sendingRoutes(api, parts);
}

function readingRoutes(api: Api, { store, clock, drawings, operator, seller }: InvoiceParts): void {
  const { contact = null } = operator;
  api.get(
    '/invoices',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the invoices of all organizations',
        description:
          'Newest first, unless `sort` and `order` say otherwise. The CSV ignores `limit`, and has ' +
          `at most ${INVOICES_CSV_MAX} invoices; with \`after\`, those after it.`,
        tags: ['invoices'],
        querystring: WholeInvoiceQuery,
        response: { 200: inJsonOrCsv(InvoicePage) },
      },
    },
    async ({ query }, reply) => {
      const now = clock.now();
      const asked = listingOf(query, now);
      if (query.format === 'csv') return sendInvoices(reply, store, asked, now);
      const { rows, next } = await store.call(listInvoices, asked);
      const cursor = next && cursorOf(query, next);
      return answerPage({ rows, next: cursor }, (row) => shownInvoice(row, now));
    },
  );

  api.get(
    '/invoices/totals',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get what the open, overdue and paid invoices of all organizations add up to',
        tags: ['invoices'],
        response: { 200: InvoiceTotals },
      },
    },
    async () => shownTotals(await store.call(sumInvoices, { now: clock.now() })),
  );

  api.get(
    '/organizations/:organization/invoices',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List invoices, newest first',
        tags: ['invoices'],
        params: OrganizationPath,
        querystring: InvoiceQuery,
        response: { 200: InvoicePage },
      },
    },
    async ({ params: { organization }, query: { limit, status = null, after: before = null } }) => {
      const { rows, next } = await store.call(listInvoices, {
        ...NEWEST_FIRST,
        organization,
        status,
        after: before === null ? null : { value: before, number: before },
        limit,
      });
      const now = clock.now();
      return answerPage({ rows, next: next && next.number }, (row) => shownInvoice(row, now));
    },
  );

  api.get(
    '/organizations/:organization/invoices/next',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get what the next invoice has so far',
        description:
          'Computed as when an invoice is issued, with every charge until now. The answer is 404 for an ' +
          'organization that prepays. If it prepays again, its last invoice is issued within about a minute.',
        tags: ['invoices'],
        params: OrganizationPath,
        response: { 200: NextInvoice },
      },
    },
    async ({ params: { organization } }) => {
      const next = await nextInvoice({ store, clock }, organization);
      if (next === null) {
        throw new Refused(
          'not_found',
          'The organization is not invoiced, so it has no next invoice.',
        );
      }
      return next;
    },
  );

  api.get(
    '/organizations/:organization/invoices/:invoice',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get an invoice with its lines, as JSON, as CSV, as a page to print, or as a PDF',
        tags: ['invoices'],
        params: InvoicePath,
        querystring: InvoiceFormat,
        response: { 200: inAnyForm(InvoiceDetail) },
      },
    },
    async ({ params, query, headers }, reply) => {
      const billed = found(await store.call(findInvoice, params), 'invoice');
      const now = clock.now();
      const invoice = shownDetail(billed, now, seller);
      reply.header('vary', 'accept');
      const format = query.format ?? formatOf(headers.accept);
      if (format === 'html') {
        return sendDocumentPage(reply, invoiceDocument(invoice, contact), '?format=pdf');
      }
      if (format === 'pdf') {
        const issued = Number(billed.invoice.created);
        const pdf = await drawings.draw(
          params.organization,
          invoiceDocument(invoice, contact),
          issued,
        );
        return sendPdf(reply, invoice.number, pdf);
      }
      if (format === 'json') return reply.type('application/json; charset=utf-8').send(invoice);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${invoice.number}.csv"`)
        .send(invoiceCsv(invoice));
    },
  );
}

function endingRoutes(api: Api, { store, clock, seller }: InvoiceParts): void {
  api.post(
    '/organizations/:organization/invoices/:invoice/paid',
    {
      config: { access: 'operator', action: 'invoice.pay', money: true },
      schema: {
        summary: 'Mark an invoice as paid; its amount is credited once',
        tags: ['invoices'],
        params: InvoicePath,
        headers: Idempotent,
        body: InvoicePaid,
        response: { 200: InvoiceDetail },
      },
    },
    async (request) => {
      const { organization, invoice } = request.params;
      const { reference, paid_on: paidOn } = request.body;
      const created = clock.now();
      const day = startOfDay(paidOn, created);
      const answer = await store.call(payInvoiceOnce, {
        idempotency: request.idempotency(),
        input: { organization, invoice, reference, day, created },
        entry: request.auditEntry({
          organization,
          target: invoice,
          details: { reference, ...(paidOn !== undefined && { paid_on: paidOn }) },
        }),
      });
      return shownDetail(billedOr409(unlessReused(answer)), created, seller);
    },
  );

  api.post(
    '/organizations/:organization/invoices/:invoice/void',
    {
      config: { access: 'operator', action: 'invoice.void', money: true },
      schema: {
        summary: 'Void an invoice; its amount is brought forward to the next one',
        tags: ['invoices'],
        params: InvoicePath,
        headers: Idempotent,
        body: InvoiceVoid,
        response: { 200: InvoiceDetail },
      },
    },
    async (request) => {
      const { organization, invoice } = request.params;
      const { reason } = request.body;
      const created = clock.now();
      const answer = await store.call(voidInvoiceOnce, {
        idempotency: request.idempotency(),
        input: { organization, invoice, reason, created },
        entry: request.auditEntry({ organization, target: invoice, details: { reason } }),
      });
      return shownDetail(billedOr409(unlessReused(answer)), created, seller);
    },
  );
}

function sendingRoutes(api: Api, { store, clock }: InvoiceParts): void {
  api.post(
    '/organizations/:organization/invoices/:invoice/send',
    {
      config: { access: 'operator', action: 'invoice.send', takesKey: true },
      schema: {
        summary: 'Send the email of an invoice again',
        description:
          'To the members who manage billing now. Without an `Idempotency-Key`, each call sends it once more.',
        tags: ['invoices'],
        params: InvoicePath,
        headers: Idempotent,
        response: { 200: InvoiceSent },
      },
    },
    async (request) => {
      const { organization, invoice } = request.params;
      const entry = request.auditEntry({ organization, target: invoice });
      const input = { organization, invoice, sending: entry.id, created: clock.now() };
      const idempotency = request.idempotency();
      const answer = unlessReused(
        await store.call(sendInvoiceAgainOnce, { idempotency, input, entry }),
      );
      if (typeof answer === 'object') return { ...answer, recipients: [...answer.recipients] };
      if (answer === 'unknown') throw noSuch('invoice');
      throw new Refused(
        'conflict',
        answer === 'void'
          ? 'The invoice is void.'
          : 'No member of the organization manages its billing.',
      );
    },
  );
}

/** The start of the day on which it was paid. Null: no day is given, so it was paid now. */
function startOfDay(paidOn: string | undefined, now: number): number | null {
  if (paidOn === undefined) return null;
  const day = Date.parse(paidOn);
  if (day > now) {
    throw new Refused('invalid_value', 'Enter today (UTC) or an earlier day.', 'paid_on');
  }
  return day;
}

function billedOr409(answer: Paid): Billed {
  if (typeof answer === 'object') return answer;
  if (answer === 'unknown') throw noSuch('invoice');
  if (answer === 'not_issued') {
    throw new Refused(
      'conflict',
      'The invoice was issued after this day: enter a later day.',
      'paid_on',
    );
  }
  throw new Refused(
    'conflict',
    answer === 'ended'
      ? 'The invoice has been paid or voided already.'
      : 'The balance would exceed USD 4000000.',
  );
}
