/** The statement of a month as it is printed. */
import type { Party, Seller } from '../../../shared/api/billing-details.ts';
import type { Statement, StatementLine } from '../../../shared/api/statements.ts';
import type { z } from 'zod';
import {
  type PrintedDocument,
  type PrintedLine,
  withoutEmptyColumns,
} from '../../../shared/documents/document.ts';
import { statementDecimals } from '../../../shared/documents/statement-decimals.ts';
import {
  amountOf,
  countOf,
  CURRENCY_FACT,
  dateOf,
  dollarsOf,
  lastDayOf,
} from '../../../shared/documents/words.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What the document says besides the figures. */
export type StatementParties = Readonly<{
  organization: string;
  seller: z.infer<typeof Seller> | null;
  buyer: Party;
  contact: string | null;
  /** Whether payments are not real. */
  isSandbox: boolean;
}>;

export function statementDocument(
  statement: Statement,
  { organization, seller, buyer, contact, isSandbox }: StatementParties,
): PrintedDocument {
  const { start, end, is_over: isOver, models, other_months: difference } = statement;
  const { opening, payments, credits, refunds, total, closing } = statement;
  const changes = [
    ['Payments', payments],
    ['Other credit', credits],
    ['Refunds and disputes', refunds],
  ] as const;
  const decimals = statementDecimals(statement);
  return withoutEmptyColumns({
    title: 'Statement for',
    number: MONTH.format(new Date(start)),
    status: isOver ? { name: 'Complete', tone: 'good' } : { name: 'In progress', tone: 'neutral' },
    isTest: isSandbox && (payments !== '0' || refunds !== '0'),
    seller,
    buyer,
    contact,
    headline: `${dollarsOf(total)} charged${isOver ? '' : ' so far'}`,
    facts: [
      ['Period (UTC)', `${dateOf(start)} to ${lastDayOf(end)}`],
      ['Organization ID', organization],
      CURRENCY_FACT,
    ],
    columns: [
      'Model',
      'Requests',
      'Prompt tokens',
      'Cached tokens',
      'Completion tokens',
      'Cost (USD)',
    ],
    lines: [
      ...models.map((line) => lineOf(line, decimals)),
      ...(difference === '0' ? [] : [differenceLine(difference, decimals)]),
    ],
    sum: totalLine(statement, decimals),
    totals: [
      ['Balance at the start of the month', dollarsOf(opening, decimals)],
      ...changes
        .filter(([, usd]) => usd !== '0')
        .map(([name, usd]) => [name, dollarsOf(usd, decimals)] as const),
      ['Usage', dollarsOf(negated(total), decimals)],
      [isOver ? 'Balance at the end of the month' : 'Balance now', dollarsOf(closing, decimals)],
    ],
    explanation:
      difference === '0'
        ? 'This is not an invoice.'
        : 'This is not an invoice. A request is listed in the month in which it arrived. The ' +
          'difference is of charges that were made or given back in another month.',
  });
}

function lineOf(line: StatementLine, decimals: number): PrintedLine {
  return {
    description: [line.model ?? 'Other models'],
    cells: [...countsOf(line), amountOf(line.cost, decimals)],
  };
}

function totalLine(statement: Statement, decimals: number): PrintedLine {
  return {
    description: ['Total'],
    cells: [...countsOf(statement), amountOf(statement.total, decimals)],
  };
}

type Counted = Pick<
  Statement,
  'requests' | 'prompt_tokens' | 'cached_tokens' | 'completion_tokens'
>;

function countsOf(of: Counted): string[] {
  const { requests, prompt_tokens: prompt, cached_tokens: cached, completion_tokens: answer } = of;
  return [requests, prompt, cached, answer].map(countOf);
}

function differenceLine(difference: string, decimals: number): PrintedLine {
  return {
    description: ['Difference from other months'],
    cells: ['', '', '', '', amountOf(difference, decimals)],
  };
}

/** `"1.5"` → `"-1.5"`. As a text, because a sum may be larger than any one amount. */
function negated(usd: string): string {
  if (usd === '0') return usd;
  return usd.startsWith('-') ? usd.slice(1) : `-${usd}`;
}
