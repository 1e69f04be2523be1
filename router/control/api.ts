/** Types and helpers that every route of the management API uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { formatUsd } from '../../shared/money.ts';
import { Refusal, type RefusalCode } from '../../shared/refusals.ts';

/**
 * The Fastify instance for the routes under `/api/v1`. Schemas type the bodies, queries and
 * responses.
 */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * An error that a Fastify handler throws to refuse a request. `errors.ts` turns it into the
 * response.
 */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusal: Refusal;

  /** `refusal`: its code, with `message`, `param` and `retryAfterS`; or all of it. */
  constructor(
    refusal: RefusalCode | Refusal,
    message?: string,
    param?: string,
    retryAfterS?: number,
  ) {
    const whole =
      refusal instanceof Refusal
        ? refusal
        : new Refusal(refusal, {
            ...(message === undefined ? {} : { message }),
            ...(param === undefined ? {} : { param }),
            ...(retryAfterS === undefined ? {} : { retryAfterS }),
          });
    super(whole.message);
    this.refusal = whole;
  }
}

/**
 * Returns the row, or throws `not_found` when it is missing. Another customer's row must look
 * missing too.
 */
export function found<Row>(row: Row | null | undefined, what: string): Row {
  if (row === null || row === undefined) throw noSuch(what);
  return row;
}

export function noSuch(what: string): Refused {
  return new Refused('not_found', `There is no such ${what}.`);
}

/** Formats a timestamp in ms since the epoch as ISO 8601, as the API writes it. */
export function isoInstant(ms: bigint | number): string {
  return new Date(Number(ms)).toISOString();
}

/** Like `isoInstant`, but returns null for null. */
export function instantOrNull(ms: bigint | number | null): string | null {
  return ms === null ? null : isoInstant(ms);
}

/** Null: none of the instants is known. */
export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((one) => one !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Formats an amount as the API writes it. Returns null for null. */
export function usdOrNull(amount: bigint | null): string | null {
  return amount === null ? null : formatUsd(amount);
}

/** Sends JSON that is already validated and serialized. */
export function sendJson(reply: FastifyReply, written: Uint8Array): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(written);
}
