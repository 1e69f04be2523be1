import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { creditForecastQuery, creditQuery, organizationQuery } from '../api/organization.ts';
import { latestShortfallQuery, SHORTFALL_MINUTES } from '../api/refusals.ts';
import { useAwaitedWelcome } from '../awaited-welcome.ts';
import { forecastWords, isShort } from '../format/credit-forecast.ts';
import { Money } from '../parts/shown.tsx';
import { contactLink } from '../service.ts';
import { useMaySee, useMe, useOrganization, useWelcomeCredit, whoMay } from '../session.tsx';
import { balanceOf, owes, thresholdOf } from './balance.ts';
import { CreditCure, OperatorCure } from './credit-cure.tsx';
import { lastStanding, rememberStanding, type Standing, standingText } from './standing.ts';
import { Strip } from './strip.tsx';
import { WelcomeNotice } from './welcome-notice.tsx';

const AGAIN_MS = 60_000;
/** While credit is missing, it may be added in another tab or by somebody else. */
const AGAIN_SHORT_MS = 10_000;

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

type Known = Readonly<{
  /** Null if there is nothing to say, and as long as nothing is known. */
  standing: Standing | null;
  available: string;
  /** Whether something that it depends on is being read for the first time. */
  isPending: boolean;
  /** Whether all that it depends on has been read; not if a read failed. */
  isComplete: boolean;
  isDeleted: boolean;
}>;

function useStanding(): Known {
  const id = useOrganization();
  const organization = useQuery({ ...organizationQuery(id), refetchInterval: AGAIN_MS });
  const threshold = organization.data ? thresholdOf(organization.data) : null;
  const forecast = useQuery(creditForecastQuery(id));
  const known = { threshold, forecast: forecast.data };
  const credit = useQuery({
    ...creditQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data && balanceOf(data, known) !== 'fine' ? AGAIN_SHORT_MS : AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const state = credit.data ? balanceOf(credit.data, known) : 'fine';
  const shortfall = useQuery({
    ...latestShortfallQuery(id),
    enabled: state === 'low',
    refetchInterval: AGAIN_MS,
  });
  const isAwaited = useAwaitedWelcome() !== null;
  const reads = [organization, forecast, credit, ...(state === 'low' ? [shortfall] : [])];
  const nothing: Known = {
    standing: null,
    available: credit.data?.available ?? '0',
    isPending: reads.some(({ isPending }) => isPending),
    isComplete: reads.every(({ data }) => data !== undefined),
    isDeleted: organization.data?.deleted != null,
  };
  if (!credit.data || !organization.data) return nothing;
  const of = (kind: Standing['kind'], rest: Partial<Standing> = {}): Known => ({
    ...nothing,
    standing: { kind, lasts: null, isRefusing: false, ...rest },
  });
  if (organization.data.status === 'suspended')
    return of(owes(credit.data) ? 'owing' : 'suspended');
  if (isAwaited || state === 'fine') return nothing;
  if (state === 'empty') return of('empty');
  const lasts = forecast.data && isShort(forecast.data) ? forecastWords(forecast.data) : null;
  return of('low', { lasts, isRefusing: shortfall.data === true });
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
        This organization is suspended: its requests are refused with status 401.
        {!operator && <WhomToAsk />}
        {isOwing && ' It owes more than it may, and can be activated only after that is paid.'}
        {isOwing && <WhoMayAdd />}
      </Strip>
    );
  }
  return (
    <Strip
      tone={kind === 'empty' || isRefusing ? 'bad' : 'warn'}
      action={<CreditCure />}
      isWaiting={isWaiting}
    >
      {kind === 'empty' ? (
        'The organization has no credit. Requests are refused with status 402 until credit is added.'
      ) : (
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
  const who = 'Contact the platform operator';
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
      for the reason, and to have it activated again.
    </>
  );
}

function WhoMayAdd() {
  return useMaySee()('billing') ? null : ` Only ${whoMay('billing')} can add credit.`;
}
