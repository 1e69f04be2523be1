/**
 * Names of the states and kinds of payments, transfers and invoices, for customers and operators.
 */
import type { Invoice } from '../../../shared/api/invoices.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { paymentOf } from '../../../shared/invoice-payment.ts';
import type { Payment, Recharge, Refund } from '../../../shared/api/payments.ts';
import { refundStatus } from '../../../shared/payment-refunds.ts';
import { picoOf } from './usd.ts';
import { daysShown, utcDate } from './utc.ts';

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
/** The name and tone of a state, as a badge shows them. */
export type Named = Readonly<{ tone: Tone; name: string }>;

const PURPOSES: Readonly<Record<Payment['purpose'], string>> = {
  'top-up': 'Top-up',
  recharge: 'Auto-recharge',
  setup: 'Card setup',
};

export function purposeName(purpose: Payment['purpose']): string {
  return PURPOSES[purpose];
}

const UNPAID: Readonly<Record<Exclude<Payment['state'], 'succeeded'>, Named>> = {
  open: { tone: 'neutral', name: 'Incomplete' },
  pending: { tone: 'accent', name: 'Processing' },
  failed: { tone: 'bad', name: 'Failed' },
  expired: { tone: 'neutral', name: 'Expired' },
};

export function unpaidState(state: keyof typeof UNPAID): Named {
  return UNPAID[state];
}

type Standing = Pick<
  Payment,
  'state' | 'purpose' | 'paid' | 'refunded' | 'refund_pending' | 'disputed'
>;

/** For a succeeded payment, a dispute takes precedence over a refund, and a refund over `Paid`. */
export function paymentState(payment: Standing): Named {
  const { state, purpose, paid, disputed, ...returned } = payment;
  if (state !== 'succeeded') return unpaidState(state);
  if (purpose === 'setup') return { tone: 'good', name: 'Saved' };
  if (picoOf(disputed) > 0n) return { tone: 'bad', name: 'Disputed' };
  const name = refundStatus({ paid: paid ?? '0', ...returned });
  return { tone: PAID_TONES[name], name };
}

const PAID_TONES: Readonly<Record<ReturnType<typeof refundStatus>, Tone>> = {
  Paid: 'good',
  'Refund pending': 'accent',
  'Partially refunded': 'neutral',
  Refunded: 'neutral',
};

const REFUND_STATES: Readonly<Record<Refund['state'], Named>> = {
  pending: { tone: 'accent', name: 'Pending' },
  succeeded: { tone: 'good', name: 'Refunded' },
  failed: { tone: 'bad', name: 'Failed, credit returned' },
};

export function refundState(state: Refund['state']): Named {
  return REFUND_STATES[state];
}

const KINDS: Readonly<Record<string, string>> = {
  welcome: 'Welcome credit',
  usage: 'Usage',
  reversal: 'Usage reversal',
  adjustment: 'Adjustment',
  payment: 'Payment',
  refund: 'Refund',
  refund_reversal: 'Refund reversal',
  dispute: 'Dispute',
  dispute_reversal: 'Dispute won',
};

/** A kind that is newer than this dashboard is shown as its code, with spaces for underscores. */
export function transferKind(kind: string): string {
  return Object.hasOwn(KINDS, kind) ? (KINDS[kind] as string) : kind.replaceAll('_', ' ');
}

const RECHARGE_STATES: Readonly<Record<Recharge['state'], Named>> = {
  off: { tone: 'neutral', name: 'Off' },
  no_method: { tone: 'warn', name: 'No card' },
  paused: { tone: 'bad', name: 'Paused' },
  paying: { tone: 'accent', name: 'Charging' },
  waiting: { tone: 'warn', name: 'Retrying' },
  capped: { tone: 'warn', name: 'Monthly cap reached' },
  ready: { tone: 'good', name: 'On' },
};

export function rechargeState(state: Recharge['state']): Named {
  return RECHARGE_STATES[state];
}

export function invoiceState({ status, overdue }: Pick<Invoice, 'status' | 'overdue'>): Named {
  if (status === 'paid') return { tone: 'good', name: 'Paid' };
  if (status === 'void') return { tone: 'neutral', name: 'Void' };
  return overdue ? { tone: 'bad', name: 'Overdue' } : { tone: 'accent', name: 'Open' };
}

/** When an invoice was paid or voided, or that nothing is to be paid. Null while it is to be paid. */
export function invoiceEnd(invoice: Parameters<typeof paymentOf>[0]): string | null {
  const payment = paymentOf(invoice);
  if (payment.state === 'none') return 'Nothing to pay';
  return payment.state === 'due' ? null : utcDate(payment.at);
}

const MONTH = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Invoices and statements cover a month in UTC, whatever the reader's time zone. `start`: its first
 * instant, or the month itself, such as `2026-11`.
 */
export function monthName(start: string): string {
  return MONTH.format(new Date(start));
}

/** What an invoice is for: a month, or the days until the organization stopped being invoiced. */
export function invoicePeriod({ start, end }: Invoice['period']): string {
  const dayAfterLast = new Date(Date.parse(end) - 1 + DAY_MS);
  return dayAfterLast.getUTCDate() === 1 ? monthName(start) : daysShown(start, end);
}
