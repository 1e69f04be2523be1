import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Organization } from '../../../../shared/api/organizations.ts';
import type { UsageSums } from '../../../../shared/api/usage.ts';
import { creditQuery, organizationQuery } from '../../api/organization.ts';
import { daysQuery, monthsQuery } from '../../api/overview.ts';
import { compactCount, shownCount, shownShare } from '../../format/count.ts';
import { picoOf } from '../../format/usd.ts';
import { utcDay, utcMonth } from '../../format/utc.ts';
import { Stat } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { spendOf, thisMonth } from './figures.ts';

const AGAIN_MS = 30_000;

/** The key figures: balance, spend, requests, tokens and savings. */
export function Stats() {
  const organization = useOrganization();
  const months = useQuery(monthsQuery(organization));
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
      <div className="col-span-2 grid sm:col-span-1">
        <BalanceStat />
      </div>
      <TodayStat />
      <Loaded query={months} loading={<Waiting />}>
        {(summary) => <MonthStats {...thisMonth(summary)} />}
      </Loaded>
    </div>
  );
}

function Waiting() {
  return <Skeleton className="h-28 w-full" />;
}

function BalanceStat() {
  const id = useOrganization();
  const credit = useQuery({ ...creditQuery(id), refetchInterval: AGAIN_MS });
  const organization = useQuery(organizationQuery(id));
  const mayBill = useMay('billing');
  return (
    <Loaded query={credit} loading={<Waiting />}>
      {({ balance, held }) => (
        <Stat
          label="Balance"
          note={
            <span className="flex flex-wrap justify-between gap-x-3">
              <span>
                {picoOf(held) === 0n ? (
                  creditLine(organization.data)
                ) : (
                  <>
                    <Money amount={held} /> held for running requests
                  </>
                )}
              </span>
              <Link
                to="/$organization/billing"
                params={{ organization: id }}
                search={{}}
                className="text-accent underline-offset-2 hover:underline"
              >
                {mayBill ? 'Add credit' : 'Billing'}
              </Link>
            </span>
          }
        >
          <Money amount={balance} rounding="down" />
        </Stat>
      )}
    </Loaded>
  );
}

function creditLine(organization: Organization | undefined) {
  if (organization?.billing.type !== 'invoiced') return 'Prepaid';
  return (
    <>
      Invoiced, down to <Money amount={`-${organization.billing.credit_limit}`} />
    </>
  );
}

function TodayStat() {
  const days = useQuery(daysQuery(useOrganization()));
  return (
    <Loaded query={days} loading={<Waiting />}>
      {(summary) => {
        const spend = spendOf(summary);
        return (
          <Stat label="Spend today" note={`${utcDay(spend.days.at(-1) ?? summary.end)}, UTC`}>
            <Money amount={spend.today} />
          </Stat>
        );
      }}
    </Loaded>
  );
}

function MonthStats(month: UsageSums & Readonly<{ start: string }>) {
  const tokens = month.prompt_tokens + month.completion_tokens;
  const name = `${utcMonth(month.start)}, UTC`;
  return (
    <>
      <Stat label="Spend this month" note={name}>
        <Money amount={month.cost} />
      </Stat>
      <Stat
        label="Requests"
        note={[
          name,
          month.errors > 0 && `${compactCount(month.errors)} failed`,
          month.cancelled > 0 && `${compactCount(month.cancelled)} canceled`,
        ]
          .filter(Boolean)
          .join(' · ')}
      >
        <span title={shownCount(month.requests)}>{compactCount(month.requests)}</span>
      </Stat>
      <Stat
        label="Tokens"
        note={`${compactCount(month.prompt_tokens)} prompt · ${compactCount(month.completion_tokens)} completion`}
      >
        <span title={shownCount(tokens)}>{compactCount(tokens)}</span>
      </Stat>
      <div className="col-span-2 grid sm:col-span-1">
        <Stat label="Saved by caching" note={cacheNote(month)}>
          <Money amount={month.cached_savings} />
        </Stat>
      </div>
    </>
  );
}

function cacheNote({ prompt_tokens, cached_tokens }: UsageSums): string {
  if (prompt_tokens === 0) return 'No prompt tokens this month';
  return `${shownShare(cached_tokens / prompt_tokens)} of prompt tokens were cached`;
}
