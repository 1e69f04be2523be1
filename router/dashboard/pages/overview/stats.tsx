import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CreditForecast } from '../../../../shared/api/credit.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { creditForecastQuery, creditQuery, organizationQuery } from '../../api/organization.ts';
import { daysQuery } from '../../api/overview.ts';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { forecastWords, isShort } from '../../format/credit-forecast.ts';
import { compactCount, shownChange, shownCount, shownShare } from '../../format/count.ts';
import { heightOf, picoOf } from '../../format/usd.ts';
import { Stat } from '../../parts/page.tsx';
import { ExactBalance, Money } from '../../parts/shown.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { isRecharging, isUsedUp } from '../../shell/balance.ts';
import { useTooLittle } from '../../shell/use-too-little.ts';
import { useIsHelpedByCredit } from '../../suspension.ts';
import { tokensOf } from '../usage/measures.ts';
import { Change, Failures } from '../usage/totals.tsx';
import { periodsOf, spendOf, type Totals, totalsOf } from './figures.ts';
import { useCompared } from './use-earlier.ts';

const AGAIN_MS = 30_000;
/** The logs of the days that the figures cover. */
const LOGS = { range: '30d' } as const;

/** The key figures: balance, spend, requests and tokens. */
export function Stats() {
  const days = useQuery(daysQuery(useOrganization()));
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <BalanceStat />
      <Loaded query={days} loading={<Waiting />}>
        {(summary) => <UsageStats summary={summary} />}
      </Loaded>
    </div>
  );
}

function Waiting() {
  return (
    <>
      {['spend', 'requests', 'tokens'].map((one) => (
        <Skeleton key={one} className="h-28 w-full" />
      ))}
    </>
  );
}

function BalanceStat() {
  const id = useOrganization();
  const forecast = useQuery(creditForecastQuery(id)).data;
  const credit = useQuery({ ...creditQuery(id), refetchInterval: AGAIN_MS });
  const organization = useQuery(organizationQuery(id));
  const { isTooLittle } = useTooLittle(id);
  const isHelpedByCredit = useIsHelpedByCredit();
  const mayBill = useMay('billing') && isHelpedByCredit;
  return (
    <Loaded query={credit} loading={<Skeleton className="h-28 w-full" />}>
      {({ balance, held, available, recharge }) => (
        <Stat
          label="Balance"
          note={
            <span className="grid gap-1">
              <ExactBalance amount={balance} />
              {picoOf(held) > 0n && (
                <span>
                  <Money amount={held} /> held for running requests
                </span>
              )}
              <CreditLine
                organization={organization.data}
                available={available}
                isRecharged={isRecharging(recharge)}
                isTooLittle={isTooLittle}
                forecast={forecast}
              />
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
          <Money amount={balance} balance />
        </Stat>
      )}
    </Loaded>
  );
}

type CreditLineProps = Readonly<{
  organization: Organization | undefined;
  available: string;
  isRecharged: boolean;
  isTooLittle: boolean;
  forecast: CreditForecast | undefined;
}>;

/** How an organization pays, or for how long its credit lasts. */
export function CreditLine(props: CreditLineProps) {
  const { organization, available, isRecharged, isTooLittle, forecast } = props;
  if (organization?.billing.type === 'invoiced') {
    return (
      <span>
        Invoiced, down to <Money amount={`-${organization.billing.credit_limit}`} />
      </span>
    );
  }
  if (isUsedUp({ available })) return <span className="text-bad">No credit</span>;
  if (isTooLittle) return <span className="text-bad">Too little for a request</span>;
  if (isRecharged) return <span>Auto-recharge is on</span>;
  const words = forecast ? forecastWords(forecast) : null;
  if (!forecast || words === null) return <span>Prepaid</span>;
  return <span className={isShort(forecast) ? 'text-warn' : undefined}>{words}</span>;
}

function UsageStats({ summary }: { summary: UsageSummary }) {
  const organization = useOrganization();
  const { now } = periodsOf(summary);
  const earlier = useCompared();
  const refusals = useQuery({
    ...refusalCountsQuery(organization, { bucket: 'day', ...now }),
    refetchInterval: AGAIN_MS,
  });
  const totals = totalsOf(summary);
  const tokens = tokensOf(totals);
  const changeOf = (of: (sums: Totals) => number) => (
    <Change>{earlier ? shownChange(of(totals), of(earlier)) : null}</Change>
  );
  return (
    <>
      <Stat
        label="Spend"
        note={
          <>
            <Money amount={spendOf(summary).today} /> today
          </>
        }
      >
        <Money amount={totals.cost} />
        {changeOf(({ cost }) => heightOf(cost))}
      </Stat>
      <Stat
        label="Requests"
        note={
          <Failures
            totals={totals}
            refused={{ count: refusals.data?.total ?? null, isOfModel: false }}
            logs={LOGS}
          />
        }
      >
        <span title={shownCount(totals.requests)}>{compactCount(totals.requests)}</span>
        {changeOf(({ requests }) => requests)}
      </Stat>
      <Stat
        label="Tokens"
        note={
          <span className="grid gap-1">
            <span>
              {compactCount(totals.prompt_tokens)} prompt, {compactCount(totals.completion_tokens)}{' '}
              completion
            </span>
            {totals.cached_tokens > 0 && (
              <span>
                {shownShare(totals.cached_tokens / totals.prompt_tokens)} of the prompt cached,
                which saved <Money amount={totals.cached_savings} />
              </span>
            )}
          </span>
        }
      >
        <span title={shownCount(tokens)}>{compactCount(tokens)}</span>
        {changeOf(tokensOf)}
      </Stat>
    </>
  );
}
