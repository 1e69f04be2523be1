import { useQuery } from '@tanstack/react-query';
import { Link, useMatch } from '@tanstack/react-router';
import { creditForecastQuery, creditQuery, organizationQuery } from '../api/organization.ts';
import { latestShortfallQuery } from '../api/refusals.ts';
import { useAwaitedWelcome } from '../awaited-welcome.ts';
import { forecastWords, isShort } from '../format/credit-forecast.ts';
import { PAGES } from '../pages.ts';
import { Button } from '../parts/button.tsx';
import { Money } from '../parts/shown.tsx';
import { contactLink } from '../service.ts';
import {
  useIsViewer,
  useMaySee,
  useMe,
  useOrganization,
  useRole,
  useWelcomeCredit,
  whoMay,
} from '../session.tsx';
import { balanceOf, owes, thresholdOf } from './balance.ts';
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
  const organization = useQuery({ ...organizationQuery(id), refetchInterval: AGAIN_MS }).data;
  const threshold = organization ? thresholdOf(organization) : null;
  const forecast = useQuery(creditForecastQuery(id)).data;
  const known = { threshold, forecast };
  const credit = useQuery({
    ...creditQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data && balanceOf(data, known) !== 'fine' ? AGAIN_SHORT_MS : AGAIN_MS,
    refetchOnWindowFocus: 'always',
  }).data;
  const state = credit ? balanceOf(credit, known) : 'fine';
  const isRefusing = useIsRefusing(state === 'low');
  const { operator } = useMe();
  const welcome = useWelcomeCredit();
  const isAwaited = useAwaitedWelcome() !== null;
  if (!credit || !organization || organization.deleted !== null) return null;
  if (organization.status === 'suspended') {
    const isOwing = owes(credit);
    const cure = operator ? (
      <OperatorCure>Review suspension</OperatorCure>
    ) : (
      isOwing && <CreditCure />
    );
    return (
      <Strip tone="bad" action={cure}>
        This organization is suspended: its requests are refused with status 401.
        {!operator && <WhomToAsk />}
        {isOwing && ' It owes more than it may, and can be activated only after that is paid.'}
        {isOwing && <WhoMayAdd />}
      </Strip>
    );
  }
  return (
    <>
      {welcome !== null && <WelcomeNotice amount={welcome} />}
      {state !== 'fine' && !isAwaited && (
        <Strip tone={state === 'empty' || isRefusing ? 'bad' : 'warn'} action={<CreditCure />}>
          {state === 'empty' ? (
            'The organization has no credit. Requests are refused with status 402 until credit is added.'
          ) : (
            <>
              Credit is low: <Money amount={credit.available} balance /> left.{' '}
              {forecast && isShort(forecast) && `${forecastWords(forecast)}. `}
              {isRefusing
                ? 'In the last hour, it did not cover some requests, which were refused with status 402.'
                : 'Requests that it does not cover are refused with status 402.'}
            </>
          )}
          <WhoMayAdd />
        </Strip>
      )}
    </>
  );
}

/** Whether credit that is low has not covered a request of the last hour. */
function useIsRefusing(isLow: boolean): boolean {
  const { data } = useQuery({
    ...latestShortfallQuery(useOrganization()),
    enabled: isLow,
    refetchInterval: AGAIN_MS,
  });
  return isLow && data === true;
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

/** Leads to billing, unless that is the page, or to the operator's page of the organization. */
function CreditCure() {
  const organization = useOrganization();
  const mayBill = useMaySee()('billing');
  const isMember = useRole() !== null;
  const isThere = useMatch({
    from: `/signed-in/organization${PAGES.billing.path}`,
    shouldThrow: false,
  });
  if (!mayBill || isThere) return null;
  if (!isMember) return <OperatorCure>Adjust credit</OperatorCure>;
  return (
    <Button size="small" asChild>
      <Link to="/$organization/billing" params={{ organization }} search={{}}>
        Add credit
      </Link>
    </Button>
  );
}

/** Leads to the page on which operators change the organization, if they may. */
function OperatorCure({ children }: { children: string }) {
  const organization = useOrganization();
  if (useIsViewer()) return null;
  return (
    <Button size="small" asChild>
      <Link to="/operator/organizations/$organization" params={{ organization }}>
        {children}
      </Link>
    </Button>
  );
}
