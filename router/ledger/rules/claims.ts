/**
 * An Idempotency-Key is charged once (MONEY 27). The claim is written by the charge itself, so a
 * request that fails leaves none, and may be sent again.
 */
import type { RequestId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Claim } from '../terms.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Absent or null: the request has no Idempotency-Key. */
type MaybeClaim = Claim | null | undefined;

/** The request that was charged under this key, and the digest of its body. */
export function chargedUnder(
  work: UnitOfWork,
  claim: MaybeClaim,
): Readonly<{ charged: RequestId; body: string }> | null {
  const row = claim ? work.claim(claim.digest) : undefined;
  return row ? { charged: row.answer as RequestId, body: row.request } : null;
}

/** Whether another request was charged under this key. */
export function isTaken(work: UnitOfWork, claim: MaybeClaim, request: RequestId): boolean {
  return (chargedUnder(work, claim)?.charged ?? request) !== request;
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
