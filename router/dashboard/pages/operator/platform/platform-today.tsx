/** Money and tokens of today. Each figure links to the page that explains it. */
import { Link } from '@tanstack/react-router';
import type { PlatformReliability, PlatformSummary } from '../../../../../shared/api/platform.ts';
import { compactCount, shownCount, shownShare } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';
import { besidePaidIn, netPaidIn } from './paid-in.ts';

type TodayProps = Readonly<{
  /** The last 30 days; the last one is today. */
  days: PlatformSummary['days'] | undefined;
  /** Of the whole hours of today, and of the same hours of yesterday. */
  tokens: PlatformReliability['tokens'] | undefined;
}>;

const LINK = 'hover:underline';

export function PlatformToday({ days, tokens: hours }: TodayProps) {
  const today = days?.at(-1);
  const yesterday = days?.at(-2);
  const tokens = today && today.prompt_tokens + today.completion_tokens;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 max-sm:[&>:first-child:nth-last-child(odd)]:col-span-2">
      <Stat
        label={
          <Link to="/operator/organizations" className={LINK}>
            Paid in today
          </Link>
        }
        note={
          <>
            {(today && besidePaidIn([today]).join(', ')) || 'Payments of customers'}
            {yesterday && (
              <>
                . Yesterday <Money amount={netPaidIn([yesterday])} />
              </>
            )}
          </>
        }
      >
        {today ? <Money amount={netPaidIn([today])} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link
            to="/operator/organizations"
            search={{ sort: 'spend', order: 'desc' }}
            className={LINK}
          >
            Charged today
          </Link>
        }
        note={
          <>
            For requests
            {yesterday && (
              <>
                . Yesterday <Money amount={yesterday.usage} />
              </>
            )}
          </>
        }
      >
        {today ? <Money amount={today.usage} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/fleet" search={{ span: 'day' }} className={LINK}>
            Tokens today
          </Link>
        }
        note={
          today && (
            <>
              {`${shownCount(today.requests)} ${today.requests === 1 ? 'request' : 'requests'}, refused ones included`}
              {hours && hours.yesterday > 0 && (
                <span className="block">{changeInWords(hours)}</span>
              )}
            </>
          )
        }
      >
        {tokens === undefined ? '–' : compactCount(tokens)}
      </Stat>
    </div>
  );
}

/** "12% more than yesterday at this hour" */
function changeInWords({ today, yesterday }: PlatformReliability['tokens']): string {
  const change = (today - yesterday) / yesterday;
  const size = shownShare(Math.abs(change));
  if (size === shownShare(0)) return 'As many as yesterday at this hour';
  return `${size} ${change > 0 ? 'more' : 'fewer'} than yesterday at this hour`;
}
