import { useEffect } from 'react';
import { SHORTFALL_MINUTES } from '../api/refusals.ts';
import { Money } from '../parts/shown.tsx';
import { contactLink } from '../service.ts';
import { useMaySee, useMe, useOrganization, useWelcomeCredit, whoMay } from '../session.tsx';
import { CreditCure, OperatorCure } from './credit-cure.tsx';
import { lastStanding, rememberStanding, type Standing, standingText } from './standing.ts';
import { Strip } from './strip.tsx';
import { useStanding } from './use-standing.ts';
import { WelcomeNotice } from './welcome-notice.tsx';

/**
 * Says on every page of an organization that its requests are refused, or soon will be, and offers
 * the cure to those who may use it.
 */
export function BalanceNotice() {
  const id = useOrganization();
  const welcome = useWelcomeCredit();
  const { standing, available, isPending, isComplete, isDeleted } = useStanding();
  const text = isComplete ? standingText(id, standing) : null;
  useEffect(() => {
    if (text !== null) rememberStanding(text);
  }, [text]);
  if (isDeleted) return null;
  const isKnown = isComplete || (!isPending && standing !== null);
  const last = isKnown ? null : lastStanding(id);
  const shown = last ?? standing;
  const isSuspended = shown?.kind === 'suspended' || shown?.kind === 'owing';
  return (
    <>
      {welcome !== null && !isSuspended && <WelcomeNotice amount={welcome} />}
      {shown && <StandingStrip standing={shown} available={available} isWaiting={last !== null} />}
    </>
  );
}

type StandingStripProps = Readonly<{
  standing: Standing;
  available: string;
  /** What it said last keeps its place, unseen, until it is known. */
  isWaiting: boolean;
}>;

function StandingStrip({ standing, available, isWaiting }: StandingStripProps) {
  const { operator } = useMe();
  const { kind, lasts, isRefusing } = standing;
  if (kind === 'suspended' || kind === 'owing') {
    const isOwing = kind === 'owing';
    const cure = operator ? (
      <OperatorCure>Review suspension</OperatorCure>
    ) : (
      isOwing && <CreditCure />
    );
    return (
      <Strip tone="bad" action={cure} isWaiting={isWaiting}>
        This organization is suspended: its requests are refused with status 403.
        {!operator && <WhomToAsk />}
        {isOwing && ' It owes more than it may, and can be resumed only after that is paid.'}
        {isOwing && <WhoMayAdd />}
      </Strip>
    );
  }
  return (
    <Strip
      tone={kind !== 'low' || isRefusing ? 'bad' : 'warn'}
      action={<CreditCure />}
      isWaiting={isWaiting}
    >
      {kind === 'empty' &&
        'The organization has no credit. Requests are refused with status 402 until credit is added.'}
      {kind === 'too_little' && (
        <>
          The organization has too little credit for a request: <Money amount={available} balance />{' '}
          left. Requests are refused with status 402 until credit is added.
        </>
      )}
      {kind === 'low' && (
        <>
          Credit is low: <Money amount={available} balance /> left. {lasts !== null && `${lasts}. `}
          {isRefusing
            ? `In the last ${SHORTFALL_MINUTES} minutes, it did not cover some requests, which were refused with status 402.`
            : 'Requests that it does not cover are refused with status 402.'}
        </>
      )}
      <WhoMayAdd />
    </Strip>
  );
}

/** Whom members ask about a suspension. Its reason is known to operators alone. */
function WhomToAsk() {
  const contact = contactLink();
  const who = 'Contact support';
  return (
    <>
      {' '}
      {contact === null ? (
        who
      ) : (
        <a href={contact} className="font-medium underline">
          {who}
        </a>
      )}{' '}
      for the reason, and to have it resumed.
    </>
  );
}

function WhoMayAdd() {
  return useMaySee()('billing') ? null : ` Only ${whoMay('billing')} can add credit.`;
}
