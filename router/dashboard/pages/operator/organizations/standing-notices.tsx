/** What the customer is told above each of their pages, and the invoices that are overdue. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { invoicesQuery } from '../../../api/billing.ts';
import { creditForecastQuery, creditQuery } from '../../../api/organization.ts';
import { forecastWords, isShort } from '../../../format/credit-forecast.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Money } from '../../../parts/shown.tsx';
import { balanceOf, isUsedUp, thresholdOf } from '../../../shell/balance.ts';
import { useTooLittle } from '../../../shell/use-too-little.ts';

const ROWS = 10;

export function StandingNotices({ organization }: { organization: Organization }) {
  if (organization.deleted !== null) return null;
  return (
    <>
      <CreditNotice organization={organization} />
      <OverdueNotice organization={organization} />
    </>
  );
}

function CreditNotice({ organization }: { organization: Organization }) {
  const credit = useQuery(creditQuery(organization.id)).data;
  const forecast = useQuery(creditForecastQuery(organization.id)).data;
  const { isTooLittle } = useTooLittle(organization.id);
  const state = credit
    ? balanceOf(credit, { threshold: thresholdOf(organization), forecast, isTooLittle })
    : 'fine';
  if (!credit || state === 'fine') return null;
  if (state === 'empty') {
    return (
      <Notice
        tone="bad"
        title={
          isUsedUp(credit)
            ? 'The organization has no credit'
            : 'The organization has too little credit'
        }
      >
        Its requests are refused with status 402, and its members are told so on each page.
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="The credit is low">
      <Money amount={credit.available} balance /> left.{' '}
      {forecast && isShort(forecast) && `${forecastWords(forecast)}. `}
      Members see this on every page.
    </Notice>
  );
}

function OverdueNotice({ organization: { id, billing } }: { organization: Organization }) {
  const invoices = useInfiniteQuery({
    ...invoicesQuery(id, ROWS),
    enabled: billing.type === 'invoiced',
  });
  const overdue = (invoices.data ?? []).filter((invoice) => invoice.overdue);
  if (overdue.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title={
        overdue.length === 1 ? 'An invoice is overdue' : `${overdue.length} invoices are overdue`
      }
    >
      <Link
        to="/operator/organizations/$organization"
        params={{ organization: id }}
        search={{ view: 'money' }}
        className="underline"
      >
        Invoices of the organization
      </Link>
    </Notice>
  );
}
