/** A running router at a glance: how it is, what it serves, and whether its process keeps up. */
import { useQuery } from '@tanstack/react-query';
import type { RouterDetail, RouterHistory } from '../../../../../shared/api/routers.ts';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { routerHistoryQuery } from '../../../api/fleet.ts';
import { now } from '../../../clock.ts';
import {
  shownBytes,
  countOf,
  shownCount,
  shownMs,
  shownShare,
  shownSmallShare,
  shownSpeed,
} from '../../../format/count.ts';
import { lastedWords } from '../../../format/lasted.ts';
import { cx } from '../../../parts/class-names.ts';
import { Stat } from '../../../parts/page.tsx';
import { When } from '../../../parts/shown.tsx';
import { REQUEST_RATE, shownRequestRate } from '../request-rate.ts';
import { errorShare, ratePerSecond, tokensPerSecond } from './router-list.ts';
import { highestOf } from './router-peaks.ts';
import { reportedLast } from './router-words.ts';
import { dash } from './routers-table.tsx';

/** In place of what a figure is of, for a router that has not told it. */
const UNREPORTED = 'Not reported';

type TotalsProps = Readonly<{
  router: RouterDetail;
  /** When they are of (ISO 8601). Null: of now. */
  at: string | null;
}>;

export function RouterTotals({ router, at }: TotalsProps) {
  const history = useQuery(routerHistoryQuery(router.id, { span: 'hour' })).data;
  const { last_minute: last, started, agents } = router;
  const errors = last?.errors ?? 0;
  const hasReported = agents !== undefined && agents !== null;
  const ran = (at === null ? now() : Date.parse(at)) - Date.parse(started);
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="Up for"
        note={
          <>
            {reportedLast(router) !== null && 'Until its last report. '}
            Started <When at={started} />
          </>
        }
      >
        {ran < MINUTE_MS ? '< 1 min' : lastedWords(ran)}
      </Stat>
      <Stat
        label={REQUEST_RATE}
        note={
          last
            ? `${countOf(last.requests, 'request')} in the last minute, refused ones included`
            : UNREPORTED
        }
      >
        {dash(ratePerSecond(router), shownRequestRate)}
      </Stat>
      <Stat
        label="Failed"
        note={last ? `${shownCount(errors)} with a status of 5xx in the last minute` : UNREPORTED}
      >
        <span className={cx(at === null && errors > 0 && 'text-bad')}>
          {shownSmallShare(errorShare(router))}
        </span>
      </Stat>
      <Stat
        label="Requests running"
        note={hasReported ? `${countOf(agents, 'host')} connected` : UNREPORTED}
      >
        {hasReported ? dash(router.running, shownCount) : '–'}
      </Stat>
      <Stat
        label="Tokens per second"
        note={last ? 'Completion tokens of the last minute' : UNREPORTED}
      >
        {shownSpeed(tokensPerSecond(router))}
      </Stat>
      <Stat label="Store lag" note={<Highest of="store_ms" format={shownMs} history={history} />}>
        {dash(router.store_ms, shownMs)}
      </Stat>
      <Stat
        label="Event loop busy"
        note={<Highest of="loop_delay_ms" what="Delay" format={shownMs} history={history} />}
      >
        {dash(router.loop_use, shownShare)}
      </Stat>
      <Stat
        label="Memory"
        note={<Highest of="memory_bytes" format={shownBytes} history={history} />}
      >
        {dash(router.memory_bytes, shownBytes)}
      </Stat>
    </div>
  );
}

type HighestProps = Readonly<{
  of: Parameters<typeof highestOf>[1];
  /** What it is the highest of, if not of the figure itself. */
  what?: string;
  format: (value: number) => string;
  history: RouterHistory | undefined;
}>;

/** "At most 31 ms in the last hour" */
function Highest({ of, what, format, history }: HighestProps) {
  if (history === undefined) return null;
  const highest = highestOf(history, of);
  if (highest === null) return 'Not reported in the last hour';
  return `${what === undefined ? 'At' : `${what} of at`} most ${format(highest)} in the last hour`;
}
