/** The statement of a month: as JSON, as CSV, as a page to print, and as a PDF. */
import {
  Month,
  Statement,
  type StatementLine,
  StatementQuery,
} from '../../../shared/api/statements.ts';
import type { UsageSums } from '../../../shared/api/usage.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import { type MonthStatement, readStatement } from '../../usage/statement.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { sendPages } from '../csv-file.ts';
import { sendDocumentPage } from '../documents/page.ts';
import { sellerIn } from '../documents/parties.ts';
import { sendPdf } from '../documents/send-pdf.ts';
import { inAnyForm } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { readBuyer } from './buyer.ts';
import { statementDocument, type StatementParties } from './statement-document.ts';

const StatementPath = OrganizationPath.extend({ month: Month });

const COLUMNS = [
  'model',
  'requests',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cost',
] as const satisfies readonly (keyof StatementLine)[];

type StatementParts = Pick<
  ControlParts,
  'store' | 'clock' | 'drawings' | 'operator' | 'seller' | 'provider'
>;

export function statementRoutes(api: Api, parts: StatementParts): void {
  const { store, clock, drawings } = parts;
  api.get(
    '/organizations/:organization/statements/:month',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the statement of a month, as JSON, as CSV, as a page to print, or as a PDF',
        description:
          'What the month has cost, by model, and how the balance changed. The month is in UTC. `total` is exactly what the ledger charged in the month: the cost ' +
          'of all lines and `other_months` add up to it. A request counts in the month in which it ' +
          'arrived, and its charge in the month in which it was made. In the CSV, `other_months` is ' +
          'the line `(other months)`, so that the column `cost` adds up to `total`.',
        tags: ['credit'],
        params: StatementPath,
        querystring: StatementQuery,
        response: { 200: inAnyForm(Statement) },
      },
    },
    async ({ params: { organization, month }, query: { format } }, reply) => {
      const at = Date.parse(`${month}-01`);
      const now = clock.now();
      if (at > now) throw new Refused('not_found', 'This month has not begun.');
      const read = found(await store.call(readStatement, { organization, at }), 'organization');
      if (read === 'too_wide') throw new Refused('conflict', 'The month has too many models.');
      const statement = shown(read, { month, at, now });
      if (format === 'json') return reply.type('application/json; charset=utf-8').send(statement);
      const name = `statement-${month}`;
      if (format === 'csv') {
        const columns = COLUMNS.map((column) => [column, (line: CsvLine) => line[column] ?? null]);
        return sendPages(reply, name, Object.fromEntries(columns), pages(statement));
      }
      const document = statementDocument(statement, await partiesOf(organization, parts));
      if (format === 'html') return sendDocumentPage(reply, document, '?format=pdf');
      const issued = Math.min(now, Date.parse(statement.end));
      return sendPdf(reply, name, await drawings.draw(organization, document, issued));
    },
  );
}

/** The parties as they are now: a statement is not issued, so none were frozen. */
async function partiesOf(
  organization: OrganizationId,
  { store, operator, seller, provider }: StatementParts,
): Promise<StatementParties> {
  return {
    organization,
    seller: seller && sellerIn(seller),
    buyer: found(await store.call(readBuyer, organization), 'organization'),
    contact: operator.contact ?? null,
    isSandbox: provider?.name === 'sandbox',
  };
}

function shown(
  { balance, sums, models, total, otherMonths }: MonthStatement,
  { month, at, now }: Readonly<{ month: string; at: number; now: number }>,
): Statement {
  const end = startOfMonth(monthOf(at) + 1n);
  return {
    month,
    start: isoInstant(at),
    end: isoInstant(end),
    is_over: end <= now,
    ...countsOf(sums),
    opening: formatUsd(balance.opening),
    payments: formatUsd(balance.payments),
    credits: formatUsd(balance.credits),
    refunds: formatUsd(balance.refunds),
    total: formatUsd(total),
    other_months: formatUsd(otherMonths),
    closing: formatUsd(balance.closing),
    models: models.map(({ value, figures }) => {
      return { model: value, ...countsOf(figures), cost: figures.cost };
    }),
  };
}

function countsOf(sums: UsageSums) {
  const { requests, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens } = sums;
  return { requests, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens };
}

type CsvLine = Partial<StatementLine>;

async function* pages({ models, other_months }: Statement): AsyncGenerator<CsvLine[]> {
  yield models.map((line) => ({ ...line, model: line.model ?? '(others)' }));
  if (other_months !== '0') yield [{ model: '(other months)', cost: other_months }];
}
