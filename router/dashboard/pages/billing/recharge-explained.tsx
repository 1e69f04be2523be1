import type { ReactNode } from 'react';
import type { Recharge } from '../../../../shared/api/payments.ts';
import { Money } from '../../parts/shown.tsx';
import { failureReason } from '../../format/money-words.ts';

type Explained = Readonly<{
  recharge: Recharge;
  failure: string | null;
  /** Whether the reader may change auto-recharge. */
  may: boolean;
}>;

/** Explains the state of auto-recharge and its consequences. */
export function RechargeExplained(explained: Explained) {
  return <p className="text-sm">{WORDS[explained.recharge.state](explained)}</p>;
}

const WORDS: Readonly<Record<Recharge['state'], (explained: Explained) => ReactNode>> = {
  off: ({ recharge: { method }, may }) =>
    may && method === null
      ? 'Save a card first, then say when and how much it may be charged.'
      : 'Nothing is charged while it is off.',
  no_method: () => 'It is on, but there is no card to charge. Save one, and it goes on.',
  paused: ({ failure }) =>
    `Three payments in a row failed, and no more are tried. ${lastly(failure)} Save another card if this one no longer works, then resume.`,
  paying: ({ recharge: { amount } }) => (
    <>
      A payment of <Money amount={amount} /> is under way.
    </>
  ),
  waiting: ({ failure }) =>
    `The last payment failed and is tried again within minutes; after three failures it is paused. ${lastly(failure)}`,
  capped: () =>
    'Another payment would go beyond the monthly cap. It goes on when the next month begins (UTC), or with a higher cap.',
  ready: ({ recharge: { threshold, amount } }) => (
    <>
      When the balance falls below <Money amount={threshold} />, <Money amount={amount} /> is added.
    </>
  ),
};

function lastly(failure: string | null): string {
  return failure === null ? '' : `Why: ${failureReason(failure)}.`;
}
