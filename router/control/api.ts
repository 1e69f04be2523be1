/** What every resource of the management API is written with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { formatUsd } from '../../shared/money.ts';
import { Refusal, type RefusalCode } from '../../shared/refusals.ts';

/** The routes under `/api/v1`: bodies, queries and answers are typed by their schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A refusal on its way out of a Fastify handler: `errors.ts` turns it into the answer. */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusal: Refusal;

  constructor(code: RefusalCode, message?: string, param?: string, retryAfterS?: number) {
    const refusal = new Refusal(code, {
      ...(message === undefined ? {} : { message }),
      ...(param === undefined ? {} : { param }),
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** A row that must be there: a missing one and one of somebody else look the same from outside. */
export function found<Row>(row: Row | null | undefined, what: string): Row {
  if (row === null || row === undefined)
    throw new Refused('not_found', `There is no such ${what}.`);
  return row;
}

/** An instant of the store, as the API writes it. */
export function isoInstant(ms: bigint | number): string {
  return new Date(Number(ms)).toISOString();
}

/** The same; null: there is none, or not yet. */
export function instantOrNull(ms: bigint | number | null): string | null {
  return ms === null ? null : isoInstant(ms);
}

/** An amount as the API writes it; null: there is none. */
export function usdOrNull(amount: bigint | null): string | null {
  return amount === null ? null : formatUsd(amount);
}
