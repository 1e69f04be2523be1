import type { Statement } from '../api/statements.ts';
import { decimalsOf } from '../money.ts';

/**
 * With so many decimals, each amount of a statement has every digit, and the decimal points of all of
 * them are below each other.
 */
export function statementDecimals(statement: Statement): number {
  const { models, other_months: difference, total, opening, closing } = statement;
  const { payments, credits, refunds } = statement;
  const costs = [...models.map(({ cost }) => cost), difference, total];
  return decimalsOf([...costs, opening, payments, credits, refunds, closing]);
}
