/** How many routers report, and what all together have served in the last minute. */
import { useQuery } from '@tanstack/react-query';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { routersQuery } from '../../../api/fleet.ts';
import {
  countOf,
  shownCount,
  shownMs,
  shownSmallShare,
  shownSpeed,
} from '../../../format/count.ts';
import { AsOf, outdatedAt } from '../../../parts/as-of.tsx';
import { Stat } from '../../../parts/page.tsx';
import { REQUEST_RATE, requestsPerSecond, shownRequestRate } from '../request-rate.ts';
import { recentTraffic } from './recent-traffic.ts';
import { lastMinuteOf } from './router-list.ts';
import { othersInWords, reportingOf } from './router-words.ts';

export function RouterTraffic() {
  const history = useQuery(fleetHistoryQuery({ span: 'hour' }));
  const reports = useQuery(routersQuery);
  const routers = reports.data;
  const last = routers && lastMinuteOf(routers.data);
  const traffic = history.data && recentTraffic(history.data);
  return (
    <AsOf at={outdatedAt(history, reports)}>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        <div className="col-span-2 grid sm:col-span-1">
          <Stat label="Routers reporting" note={routers && othersInWords(routers.data)}>
            {routers ? (
              <>
                {shownCount(reportingOf(routers.data))}
                <span className="text-base font-normal text-muted">
                  {' '}
                  of {shownCount(routers.data.length)}
                </span>
              </>
            ) : (
              '–'
            )}
          </Stat>
        </div>
        <Stat
          label={REQUEST_RATE}
          note={last && `${countOf(last.requests, 'request')}, refused ones included`}
        >
          {last ? shownRequestRate(requestsPerSecond(last.requests, 60)) : '–'}
        </Stat>
        <Stat label="Tokens per second" note="Completion tokens">
          {last ? shownSpeed(last.tokens / 60) : '–'}
        </Stat>
        <Stat label="Failed" note={last && `${shownCount(last.errors)} with a status of 5xx`}>
          {shownSmallShare(last && last.requests > 0 ? last.errors / last.requests : null)}
        </Stat>
        <Stat label="Time to first token, p50" note="Of the last minute with an answer">
          {traffic ? shownMs(traffic.ttftMs) : '–'}
        </Stat>
      </div>
    </AsOf>
  );
}
