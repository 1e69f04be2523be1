import type { UsageSums } from '../../../../shared/api/usage.ts';
import {
  compactCount,
  shownAbout,
  shownAboutSpeed,
  shownChange,
  shownCount,
  shownPoints,
  shownShare,
} from '../../format/count.ts';
import { heightOf } from '../../format/usd.ts';
import { termUsd } from '../../format/usd-sum.ts';
import { Stat } from '../../parts/page.tsx';
import type { LogsSearch } from '../../search.ts';
import { Money } from '../../parts/shown.tsx';
import { LogsLink } from '../logs/logs-link.tsx';
import { type Refused, RefusedLink, RefusedOfModel } from './refused-count.tsx';
import type { CostDecimals } from './cost-decimals.ts';
import { cachedShare, speedOf, tokensOf } from './measures.ts';

/** See `shared/histogram-steps.ts`. */
export const ACCURACY = 'Accurate to 5%. The page of a request has its exact times.';

type TotalsProps = Readonly<{
  totals: UsageSums;
  decimals: CostDecimals;
  /** The totals of the previous period. Null: they are not known. */
  previous: UsageSums | null;
  refused: Refused;
  /** What the logs show of the same requests. */
  logs: LogsSearch;
}>;

/** The seven figures, of which the first is twice as wide. */
export const TILES = 'grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4 [&>:first-child]:col-span-2';

/** The totals of all requests in the span. */
export function Totals({ totals, decimals, previous, refused, logs }: TotalsProps) {
  const tokens = tokensOf(totals);
  const share = cachedShare(totals);
  const { ttft_ms: ttft, duration_ms: duration } = totals;
  const speed = speedOf(totals);
  const changeOf = (of: (sums: UsageSums) => number | null, shown = shownChange) => (
    <Change>{previous && shown(of(totals), of(previous))}</Change>
  );
  return (
    <section aria-label="Totals" className={TILES}>
      <Stat
        label="Cost"
        note={
          <>
            <Term amount={totals.cached_savings} decimals={decimals.saved} /> saved by cached
            prompts
          </>
        }
      >
        <Term amount={totals.cost} decimals={decimals.cost} />
        {changeOf(({ cost }) => heightOf(cost))}
      </Stat>
      <Stat label="Requests" note={<Failures totals={totals} refused={refused} logs={logs} />}>
        {shownCount(totals.requests)}
        {changeOf(({ requests }) => requests)}
      </Stat>
      <Stat
        label="Tokens"
        note={
          <>
            {shownCount(totals.prompt_tokens)} prompt · {shownCount(totals.completion_tokens)}{' '}
            completion
            {totals.reasoning_tokens > 0 && ` (${shownCount(totals.reasoning_tokens)} reasoning)`}
          </>
        }
      >
        <span title={shownCount(tokens)}>{compactCount(tokens)}</span>
        {changeOf(tokensOf)}
      </Stat>
      <Stat
        label="Cached share"
        note={`${shownCount(totals.cached_tokens)} of ${shownCount(totals.prompt_tokens)} prompt tokens`}
      >
        {share === null ? '–' : shownShare(share)}
        {changeOf(cachedShare, shownPoints)}
      </Stat>
      <Stat
        label="Time to first token"
        note={ttft ? `Median. 90% within ${shownAbout(ttft.p90)}` : 'No data'}
      >
        <span title={ACCURACY}>{shownAbout(ttft?.p50 ?? null)}</span>
        {changeOf(({ ttft_ms }) => ttft_ms?.p50 ?? null)}
      </Stat>
      <Stat
        label="Duration"
        note={duration ? `Median. 90% within ${shownAbout(duration.p90)}` : 'No data'}
      >
        <span title={ACCURACY}>{shownAbout(duration?.p50 ?? null)}</span>
        {changeOf(({ duration_ms }) => duration_ms?.p50 ?? null)}
      </Stat>
      <Stat
        label="Speed"
        note={speed === null ? 'No data' : 'Completion tokens after the first token'}
      >
        <span title={ACCURACY}>{speed === null ? '–' : `${shownAboutSpeed(speed)} tokens/s`}</span>
        {changeOf(speedOf)}
      </Stat>
    </section>
  );
}

/** The amount of a sum, whose other terms are elsewhere on the page. */
export function Term({ amount, decimals }: Readonly<{ amount: string; decimals: number }>) {
  return <Money amount={amount} {...termUsd({ amount }, decimals)} />;
}

/** How a figure has changed, next to it. */
export function Change({ children }: { children: string | null }) {
  if (children === null) return null;
  return <span className="ml-2 text-xs font-normal tracking-normal text-muted">{children}</span>;
}

type FailuresProps = Readonly<{
  totals: Pick<UsageSums, 'errors' | 'cancelled'>;
  /** Refused requests are not part of the total. */
  refused: Refused;
  /** What the logs show of the same requests. */
  logs: LogsSearch;
}>;

/** How many requests did not succeed, below their number. */
export function Failures({ totals: { errors, cancelled }, refused, logs }: FailuresProps) {
  return (
    <>
      {errors > 0 ? <Ended {...{ logs, count: errors, status: 'failed' }} /> : '0 failed'}
      {cancelled > 0 && (
        <>
          , <Ended {...{ logs, count: cancelled, status: 'canceled' }} />
        </>
      )}
      {refused.isOfModel && (
        <span className="mt-1 block">
          <RefusedOfModel logs={logs} />
        </span>
      )}
      {refused.count !== null && refused.count > 0 && (
        <span className="mt-1 block">
          Not counted here: <RefusedLink refused={refused.count} logs={logs} />
        </span>
      )}
    </>
  );
}

type EndedProps = Readonly<{ logs: LogsSearch; count: number; status: 'failed' | 'canceled' }>;

/**
 * Leads to the admitted requests that failed, or to those that were canceled. Only text with a
 * filter of statuses, beside which the logs would list others.
 */
function Ended({ logs, count, status }: EndedProps) {
  const text = `${shownCount(count)} ${status}`;
  if (logs.status !== undefined) return text;
  return (
    <LogsLink logs={logs} status={status} className="underline underline-offset-2 hover:text-ink">
      {text}
    </LogsLink>
  );
}
