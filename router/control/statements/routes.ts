/** The statement of a month, by model, as JSON and as CSV. */
import {
  Month,
  Statement,
  type StatementLine,
  StatementQuery,
} from '../../../shared/api/statements.ts';
import type { UsageSums } from '../../../shared/api/usage.ts';
import { formatUsd } from '../../../shared/money.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import { type MonthStatement, readStatement } from '../../usage/statement.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { sendPages } from '../csv-file.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';

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

export function statementRoutes(api: Api, { store, clock }: Pick<ControlParts, 'store' | 'clock'>) {
  api.get(
    '/organizations/:organization/statements/:month',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the statement of a month; what it has cost, by model',
        description:
          'The month is in UTC. `total` is exactly what the ledger charged in the month: the cost ' +
          'of all lines and `other_months` add up to it. A request counts in the month in which it ' +
          'arrived, and its charge in the month in which it was made. In the CSV, `other_months` is ' +
          'the line `(other months)`, so that the column `cost` adds up to `total`.',
        tags: ['credit'],
        params: StatementPath,
        querystring: StatementQuery,
        response: { 200: inJsonOrCsv(Statement) },
      },
    },
    async ({ params: { organization, month }, query: { format } }, reply) => {
      const at = Date.parse(`${month}-01`);
      const read = found(await store.call(readStatement, { organization, at }), 'organization');
      if (read === 'too_wide') throw new Refused('conflict', 'The month has too many models.');
      const statement = shown(read, { month, at, now: clock.now() });
      if (format === 'json') return statement;
      const columns = COLUMNS.map((name) => [name, (line: CsvLine) => line[name] ?? null]);
      const name = `statement-${month}`;
      return sendPages(reply, name, Object.fromEntries(columns), pages(statement));
    },
  );
}

function shown(
  { sums, models, total, otherMonths }: MonthStatement,
  { month, at, now }: Readonly<{ month: string; at: number; now: number }>,
): Statement {
  const end = startOfMonth(monthOf(at) + 1n);
  return {
    month,
    start: isoInstant(at),
    end: isoInstant(end),
    is_over: end <= now,
    ...countsOf(sums),
    total: formatUsd(total),
    other_months: formatUsd(otherMonths),
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
