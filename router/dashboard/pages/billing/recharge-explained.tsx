import type { ReactNode } from 'react';
import type { Recharge } from '../../../../shared/api/payments.ts';
import { failureReason } from '../../../../shared/payment-failures.ts';
import { Money } from '../../parts/shown.tsx';

type Explained = Readonly<{
  recharge: Recharge;
  failure: string | null;
  /** Whether the reader may change auto-recharge. */
  may: boolean;
  isSuspended: boolean;
}>;

/** Explains the state of auto-recharge and its consequences. */
export function RechargeExplained(explained: Explained) {
  const { recharge, isSuspended } = explained;
  const isStopped = isSuspended && recharge.state !== 'paying';
  return (
    <p className="text-sm">
      {isStopped
        ? `Auto-recharge ${recharge.enabled ? 'is on, but ' : ''}charges no card while the organization is suspended.`
        : WORDS[recharge.state](explained)}
    </p>
  );
}

const WORDS: Readonly<Record<Recharge['state'], (explained: Explained) => ReactNode>> = {
  off: ({ recharge: { method }, may }) =>
    may && method === null
      ? 'Save a card first. Then choose when to charge it and how much.'
      : 'No card is charged while auto-recharge is off.',
  no_method: () => 'Auto-recharge is on, but there is no card to charge. Save a card to continue.',
  paused: ({ failure }) =>
    `Auto-recharge is paused because three payments in a row failed. ${lastly(failure)} Replace the card if it no longer works, then resume.`,
  paying: ({ recharge: { amount } }) => (
    <>
      A payment of <Money amount={amount} /> is in progress.
    </>
  ),
  waiting: ({ failure }) =>
    `The last payment failed. It is tried again within minutes. Auto-recharge pauses after three failures in a row. ${lastly(failure)}`,
  capped: () =>
    'Another payment would exceed the monthly cap. Auto-recharge continues when the next month begins (UTC) or when the cap is raised.',
  ready: ({ recharge: { threshold, amount } }) => (
    <>
      When the balance falls below <Money amount={threshold} />, <Money amount={amount} /> is added.
    </>
  ),
};

function lastly(failure: string | null): string {
  return failure === null ? '' : `Reason: ${failureReason(failure)}.`;
}
