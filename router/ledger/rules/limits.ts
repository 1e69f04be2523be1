/**
 * The limits of a key and its organization on requests: requests and tokens per minute, and
 * concurrent requests. They apply to all routers together. Caps of spend are in caps.ts.
 */
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import type { HoldRow, MeterRow } from '../../store/schema/ledger.ts';
import type {
  Limits,
  RateLimits,
  ReachedLimit,
  Reservation,
  ReserveAnswer,
  Standing,
  Standings,
} from '../terms.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { broughtTo, nothingSpent } from './spent.ts';

/** When to retry at the limit of concurrent requests: nobody knows when one of them ends. */
export const RETRY_CONCURRENCY_MS = 1_000;
/**
 * The most tokens of waived work for an organization in a minute, over all routers (MONEY 15).
 * Without this limit, a client could get endless free prefill by leaving early, or by requesting
 * more than the credit pays for.
 */
const WAIVED_TOKENS_MAX = 200_000;
const PER_MINUTE = { requests: 'requestsPerMinute', tokens: 'tokensPerMinute' } as const;

type Subject = Readonly<{
  of: ReachedLimit['of'];
  id: OrganizationId | KeyId;
  limits: RateLimits;
}>;

/** Returns the limit that refuses this request now; null if none does. */
export function findLimit(
  work: UnitOfWork,
  wanted: Reservation,
  now: number,
): ReserveAnswer | null {
  const { organization, key, limits, tokens } = wanted;
  const waivedMs =
    work.countedWindow(organization)?.waitMs('waived', WAIVED_TOKENS_MAX, 1, now) ?? 0;
  if (waivedMs > 0) {
    const standings = standingsOf(work, wanted, now);
    return { limited: 'waived', retryAfterMs: waivedMs, standings };
  }
  const full = findConcurrencyLimit(limits, {
    organization: Number(work.account(organization)?.open ?? 0n),
    key: Number(meterOf(work, key, organization, now).open),
  });
  if (full !== null) {
    const standings = standingsOf(work, wanted, now);
    const retryAfterMs = RETRY_CONCURRENCY_MS;
    return { limited: 'concurrency', reached: full, retryAfterMs, standings };
  }
  for (const [measure, more] of [
    ['requests', 1],
    ['tokens', tokens],
  ] as const) {
    let retryAfterMs = 0;
    let reached: ReachedLimit | null = null;
    let standing: Standing | null = null;
    for (const { of, id, limits: each } of subjectsOf(wanted)) {
      const most = each[PER_MINUTE[measure]];
      const waitMs = most === null ? 0 : work.window(id).waitMs(measure, most, more, now);
      if (most === null || waitMs <= retryAfterMs) continue;
      // If both limits are reached, the one that refuses for longer is named.
      retryAfterMs = waitMs;
      reached = { of, most };
      standing = work.window(id).standing(measure, most, now);
    }
    if (reached !== null) {
      // Of the measure that refuses, the limit that is named is told, even if the other has less left.
      const standings = { ...standingsOf(work, wanted, now), [measure]: standing };
      return { limited: measure, reached, retryAfterMs, standings };
    }
  }
  return null;
}

/**
 * Returns the limit of concurrent requests that so many requests reach; null if neither limit is
 * reached.
 */
export function findConcurrencyLimit(
  { organization, key }: Pick<Limits, ReachedLimit['of']>,
  running: Readonly<Record<ReachedLimit['of'], number>>,
): ReachedLimit | null {
  for (const [of, { concurrentRequests: most }] of [
    ['organization', organization],
    ['key', key],
  ] as const) {
    if (most !== null && running[of] >= most) return { of, most };
  }
  return null;
}

/** Counts an admitted request. */
export function countAdmission(work: UnitOfWork, wanted: Reservation, now: number): void {
  const tokens = Number(countedTokens(wanted));
  for (const { id, limits } of subjectsOf(wanted)) {
    if (limits.requestsPerMinute !== null)
      work.countIn(id, wanted.organization, 'requests', 1, now);
    if (tokens > 0) work.countIn(id, wanted.organization, 'tokens', tokens, now);
  }
}

/** Counts work that was done for a request and is not charged. */
export function countWaived(
  work: UnitOfWork,
  organization: OrganizationId,
  tokens: number,
  now: number,
): void {
  if (tokens > 0) work.countIn(organization, organization, 'waived', tokens, now);
}

/**
 * The tokens to store with a hold, so that the count can be corrected when the hold ends; 0 if none
 * were counted.
 */
export function countedTokens({ limits, tokens }: Reservation): bigint {
  const counted =
    limits.organization.tokensPerMinute !== null || limits.key.tokensPerMinute !== null;
  return counted ? BigInt(Math.max(1, tokens)) : 0n;
}

/**
 * Replaces the tokens counted at admission by the true number. Additional tokens count from now on.
 * A surplus is taken from the slot in which it was counted: taken from the newest slot, it would
 * still be subtracted there when the old slot has left the window.
 */
export function correctTokens(work: UnitOfWork, hold: HoldRow, used: number, now: number): void {
  if (hold.tokens === 0n) return;
  const more = used - Number(hold.tokens);
  const { organization, key } = hold;
  const at = Number(hold.created);
  for (const id of [organization, key]) {
    if (more > 0) work.countIn(id, organization, 'tokens', more, now);
    else work.takeBackIn(id, organization, { measure: 'tokens', amount: -more, at, now });
  }
}

/** What the key holds, and has spent in the month and the day of `now`. */
export function meterOf(
  work: Pick<UnitOfWork, 'meter'>,
  key: KeyId,
  organization: OrganizationId,
  now: number,
): MeterRow {
  const meter = work.meter(key);
  if (!meter) return { key, organization, ...nothingSpent(now), held: 0n, open: 0n };
  return broughtTo(meter, now);
}

/** Whose limits apply to a request, and which. */
export type Limited = Pick<Reservation, 'organization' | 'key' | 'limits'>;

export function standingsOf(
  work: Pick<UnitOfWork, 'window'>,
  wanted: Limited,
  now: number,
): Standings {
  const standing = (measure: keyof typeof PER_MINUTE) => {
    const all = subjectsOf(wanted).flatMap(({ id, limits }) => {
      const limit = limits[PER_MINUTE[measure]];
      return limit === null ? [] : [work.window(id).standing(measure, limit, now)];
    });
    return all.toSorted((a, b) => a.remaining - b.remaining)[0] ?? null;
  };
  return { requests: standing('requests'), tokens: standing('tokens') };
}

function subjectsOf({ organization, key, limits }: Limited): readonly Subject[] {
  return [
    { of: 'organization', id: organization, limits: limits.organization },
    { of: 'key', id: key, limits: limits.key },
  ];
}

/** No limits; for tests and for the platform's own requests. */
const FREE: RateLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentRequests: null,
};
export const UNLIMITED: Limits = {
  organization: FREE,
  key: FREE,
  monthlyCap: null,
  dailyCap: null,
};
