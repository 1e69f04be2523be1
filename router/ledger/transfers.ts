/**
 * The accounts of the double entry and the kinds of transfers between them (MONEY 2, 3). Only
 * customers' accounts store a balance; the platform's are sums over transfers.
 */
import type { OrganizationId, RequestId, TransferId } from '../../shared/ids.ts';
import { PICO_PER_USD } from '../../shared/money.ts';

/** USD 4 million, in pico-USD; 64 bits end at USD 9.22 million. */
export const BALANCE_MAX = 4_000_000n * PICO_PER_USD;

/** For each kind of transfer: the platform's account, and the direction in which it moves. */
export const KINDS = {
  welcome: { platform: 'platform:promotions', towards: 'customer' },
  usage: { platform: 'platform:revenue', towards: 'platform' },
  reversal: { platform: 'platform:revenue', towards: 'customer' },
  adjustment: { platform: 'platform:adjustments', towards: 'either' },
  payment: { platform: 'platform:payments', towards: 'customer' },
  refund: { platform: 'platform:payments', towards: 'platform' },
  refund_reversal: { platform: 'platform:payments', towards: 'customer' },
  dispute: { platform: 'platform:payments', towards: 'platform' },
  dispute_reversal: { platform: 'platform:payments', towards: 'customer' },
} as const satisfies Record<
  string,
  { platform: `platform:${string}`; towards: 'customer' | 'platform' | 'either' }
>;
export type Kind = keyof typeof KINDS;

/** The kinds that charge requests, or take such a charge back. */
export const USAGE_KINDS: readonly string[] = ['usage', 'reversal'] satisfies readonly Kind[];

function customerAccount(organization: OrganizationId): string {
  return `customer:${organization}`;
}

/**
 * Returns the sides of a transfer by which the customer gains `change`, or loses it if negative.
 * Throws when transfers of this kind do not move in that direction.
 */
export function sides(
  kind: Kind,
  organization: OrganizationId,
  change: bigint,
): { debit: string; credit: string; amount: bigint } {
  const customer = customerAccount(organization);
  const { platform, towards } = KINDS[kind];
  const right = towards === 'either' || (towards === 'customer') === change > 0n;
  if (change === 0n || !right) throw new Error(`a ${kind} cannot change a balance by ${change}`);
  return change > 0n
    ? { debit: platform, credit: customer, amount: change }
    : { debit: customer, credit: platform, amount: -change };
}

/**
 * Returns the id of a request's charge. It is derived from the request's id, so that the primary
 * key forbids a second charge even if the tombstone is lost.
 */
export function chargeId(request: RequestId): TransferId {
  return request.replace(/^req_/, 'trf_') as TransferId;
}

export function reversalId(request: RequestId): TransferId {
  return `${chargeId(request)}_reversal` as TransferId;
}

export function refundReversalId(refund: TransferId): TransferId {
  return `${refund}_reversal` as TransferId;
}
