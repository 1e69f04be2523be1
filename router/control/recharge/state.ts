/** Reads the state of auto-recharge, and formats it for the API. */
import { type Recharge, TOP_UP_MIN } from '../../../shared/api/payments.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { ControlParts } from '../parts.ts';
import { isCapped, type RechargeState, readRecharge } from './procedures.ts';

/** Reads the state of an organization's auto-recharge as the API shows it. */
export async function answerRecharge(
  { store, clock, provider }: Pick<ControlParts, 'store' | 'clock' | 'provider'>,
  organization: OrganizationId,
): Promise<Recharge> {
  const now = clock.now();
  const asked = { organization, provider: provider?.name ?? null, now };
  return shownRecharge(await store.call(readRecharge, asked), now);
}

function shownRecharge(stands: RechargeState, now: number): Recharge {
  const { recharge, monthSpent, method } = stands;
  const { threshold = TOP_UP_MIN, amount = 4n * TOP_UP_MIN, monthly_cap: cap } = recharge ?? {};
  return {
    enabled: recharge?.enabled === 1n,
    threshold: formatUsd(threshold),
    amount: formatUsd(amount),
    monthly_cap: cap === null || cap === undefined ? null : formatUsd(cap),
    state: stateOf(stands, now),
    month_spent: formatUsd(monthSpent),
    failures: Number(recharge?.failures ?? 0n),
    payment: recharge?.payment ?? null,
    method: method === null ? null : { label: method },
  };
}

function stateOf({ recharge, monthSpent, method }: RechargeState, now: number): Recharge['state'] {
  if (recharge?.enabled !== 1n) return 'off';
  if (recharge.payment !== null) return 'paying';
  if (recharge.paused !== null) return 'paused';
  if (method === null) return 'no_method';
  if (isCapped(recharge, monthSpent)) return 'capped';
  const { waits_until: until } = recharge;
  return until !== null && now < Number(until) ? 'waiting' : 'ready';
}
