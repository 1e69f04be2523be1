/**
 * An Idempotency-Key is charged once (MONEY 27). The claim is written by the charge itself, so a
 * request that fails leaves none, and may be sent again.
 */
import type { RequestId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Claim, Usage } from '../terms.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Absent or null: the request has no Idempotency-Key. */
type MaybeClaim = Claim | null | undefined;

type Charged = Readonly<{ charged: RequestId; body: string }>;

/** The request that was charged under this key, and the digest of its body. */
export function chargedUnder(work: UnitOfWork, claim: MaybeClaim): Charged | null {
  const row = claim ? work.claim(claim.digest) : undefined;
  return row ? { charged: row.answer as RequestId, body: row.request } : null;
}

/** The other request that was charged under this key. */
export function takenBy(work: UnitOfWork, claim: MaybeClaim, request: RequestId): Charged | null {
  const charged = chargedUnder(work, claim);
  return charged?.charged === request ? null : charged;
}

/**
 * The waived work of a request whose key another one was charged under. A repeat of the same body
 * is an honest retry: its prompt was charged once, so only its answer counts (MONEY 15). Under one
 * key there is at most one such prompt for each further router: a charged key admits no more.
 */
export function repeatedWork(
  taken: Charged,
  claim: MaybeClaim,
  { promptTokens, completionTokens }: Usage,
): number {
  return completionTokens + (taken.body === claim?.body ? 0 : promptTokens);
}

export function claimCharge(
  work: UnitOfWork,
  claim: MaybeClaim,
  { request, now }: Readonly<{ request: RequestId; now: number }>,
): void {
  if (!claim) return;
  const { digest, body } = claim;
  work.addClaim({ digest, request: body, answer: request, created: milliseconds(now) });
}

/** The charge of this request is reversed: the next request under its key is charged. */
export function giveUp(work: UnitOfWork, claim: MaybeClaim, request: RequestId): void {
  if (claim && chargedUnder(work, claim)?.charged === request) work.removeClaim(claim.digest);
}
