/**
 * Ends a request in the ledger, exactly once: with a charge for what was used, or without one. The
 * charge is durable before the answer is completed (MONEY 12). A charge whose outcome stays unknown
 * is reversed (MONEY 14).
 */
import { type Clock, sleep } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { BilledTokens } from '../../shared/money.ts';
import type { Hold } from '../ledger/hold.ts';
import { type SettleAnswer, StoreUnavailable, type Usage } from '../ledger/terms.ts';

export type SettleParts = Readonly<{ clock: Clock; log: Log }>;

const RETRY_MS = 200;
/**
 * The longest pause between retries. No request is admitted until the store accepts one of these
 * endings, so the pause is short.
 */
const RETRY_MS_MAX = 1_000;
/** The pause when the store fails permanently. Such damage is repaired by hand, if at all. */
const FAULT_RETRY_MS = 60_000;

/**
 * Charges a request. While the store does not answer, retries under the same id for up to ten
 * seconds, and then returns `unknown`: the caller must refuse or cut the answer, and call
 * `release`.
 */
export async function settle(
  parts: SettleParts,
  hold: Hold,
  usage: Usage,
  tokens: BilledTokens,
): Promise<SettleAnswer | 'unknown'> {
  const deadline = parts.clock.monotonic() + limits.settleMsMax;
  for (;;) {
    const left = deadline - parts.clock.monotonic();
    const answer = await within(parts.clock, left, hold.settle(usage, tokens));
    if (answer !== 'unavailable') return answer;
    if (parts.clock.monotonic() + RETRY_MS >= deadline) return 'unknown';
    await sleep(parts.clock, RETRY_MS);
  }
}

async function within(
  clock: Clock,
  ms: number,
  settling: Promise<SettleAnswer>,
): Promise<SettleAnswer | 'unknown' | 'unavailable'> {
  const late = Promise.withResolvers<'unknown'>();
  const timer = clock.after(Math.max(0, ms), () => late.resolve('unknown'));
  const answered = settling.catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return 'unavailable' as const;
    throw error;
  });
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    timer.cancel();
  }
}

/**
 * Ends a request without a charge, and records the waived work. Retries as long as the store is
 * unavailable. When the store is available but fails, logs that and retries in the background,
 * because a charge may have to be reversed.
 */
export async function release(
  parts: SettleParts,
  hold: Hold,
  usage: Usage,
  waivedTokens: number,
): Promise<void> {
  for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MS_MAX)) {
    try {
      return await hold.void(usage, waivedTokens);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        return releaseLater(parts, hold, { usage, waivedTokens, error });
      }
      parts.log.warn(
        { request: usage.request },
        'ledger was unavailable: a request could not be voided yet and is retried',
      );
      await sleep(parts.clock, pause);
    }
  }
}

function releaseLater(
  parts: SettleParts,
  hold: Hold,
  of: Readonly<{ usage: Usage; waivedTokens: number; error: unknown }>,
): void {
  const { usage, waivedTokens, error } = of;
  const fields = { request: usage.request, err: error };
  parts.log.error(fields, 'request could not be voided and was scheduled for another try');
  parts.clock.after(FAULT_RETRY_MS, () => {
    hold
      .void(usage, waivedTokens)
      .catch((again: unknown) => releaseLater(parts, hold, { ...of, error: again }));
  });
}
