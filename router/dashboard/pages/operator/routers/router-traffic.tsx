/** How many routers report, and what all together have served in the last minutes. */
import { useQuery } from '@tanstack/react-query';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { routersQuery } from '../../../api/fleet.ts';
import {
  compactCount,
  shownCount,
  shownMs,
  shownShare,
  shownSpeed,
} from '../../../format/count.ts';
import { AsOf, outdatedAt } from '../../../parts/as-of.tsx';
import { Stat } from '../../../parts/page.tsx';
import { useZone } from '../../../zone.ts';
import { spanShown } from '../../usage/labels.ts';
import { recentTraffic } from './recent-traffic.ts';
import { othersInWords, reportingOf } from './router-words.ts';

export function RouterTraffic() {
  const zone = useZone();
  const history = useQuery(fleetHistoryQuery({ span: 'hour' }));
  const reports = useQuery(routersQuery);
  const routers = reports.data;
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
          label="Requests per second"
          note={
            traffic &&
            `${shownCount(traffic.requests)} ${traffic.requests === 1 ? 'request' : 'requests'} in five minutes, refused ones included`
          }
        >
          {traffic ? shownSpeed(traffic.requestsPerSecond) : '–'}
        </Stat>
        <Stat label="Tokens per second" note="Completion tokens of five minutes">
          {traffic ? compactCount(Math.round(traffic.tokensPerSecond)) : '–'}
        </Stat>
        <Stat
          label="Errors"
          note={traffic && `${shownCount(traffic.failed)} with a status of 5xx in five minutes`}
        >
          {traffic && traffic.requests > 0 ? shownShare(traffic.failed / traffic.requests) : '–'}
        </Stat>
        <Stat label="Time to first token, p50" note="Of the last minute with an answer">
          {traffic ? shownMs(traffic.ttftMs) : '–'}
        </Stat>
      </div>
      {traffic && (
        <p className="text-xs text-muted">
          Rates of all routers are of {spanShown(traffic.start, traffic.end, 'minute', zone)}. Those
          of each router below are of its last minute.
        </p>
      )}
    </AsOf>
  );
}
