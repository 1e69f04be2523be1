/**
 * The Idempotency-Key of an inference request. Keys and bodies are only kept as digests under a
 * secret of the organization.
 */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { IdempotencyKey } from '../../../shared/api/payments.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusals.ts';
import type { Claim } from '../../ledger/terms.ts';
import type { Api } from '../api.ts';
import type { Caller } from '../authenticate.ts';

export const HEADER = 'idempotency-key';

/** The key of a request as it was sent, null if it has none. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | string[] | null {
  return headers[HEADER] ?? null;
}

/**
 * Null when nothing can be repeated: without a key, and for a streamed answer, which ignores it,
 * whatever it is.
 */
export function claimOf(
  idempotencyKey: ReturnType<typeof idempotencyKeyOf>,
  { organization, key, salt }: Pick<Caller, 'organization' | 'key' | 'salt'>,
  { api, bodyDigest }: Readonly<{ api: Api; bodyDigest: string | null }>,
): Claim | null | Refusal {
  if (idempotencyKey === null || bodyDigest === null) return null;
  const read = IdempotencyKey.safeParse(idempotencyKey);
  if (!read.success) {
    const message = 'The header "Idempotency-Key" has to be 1 to 255 printable characters.';
    return new Refusal('invalid_value', { param: HEADER, message });
  }
  const whose = JSON.stringify(['inference', organization, key, api, read.data]);
  return { digest: createHmac('sha256', salt).update(whose).digest('hex'), body: bodyDigest };
}

/** The refusal of a request under a key that was used for another one, or whose answer is lost. */
export function repeatRefusal(
  first: Readonly<{ charged: RequestId; body: string }>,
  claim: Claim | null,
): Refusal {
  if (first.body !== claim?.body) return keyReused();
  const message =
    `A request with this Idempotency-Key was charged as ${first.charged}, and there is no answer ` +
    'of it here. Send a new key to get, and pay for, another answer.';
  return new Refusal('already_answered', { message, param: HEADER });
}

export function keyReused(): Refusal {
  return new Refusal('idempotency_key_reused', { param: HEADER });
}
