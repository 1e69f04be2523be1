/** What all routers together have served in the last minutes, from the history of the fleet. */
import { useQuery } from '@tanstack/react-query';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import {
  compactCount,
  shownCount,
  shownMs,
  shownShare,
  shownSpeed,
} from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { useZone } from '../../../zone.ts';
import { spanShown } from '../../usage/labels.ts';
import { recentTraffic } from './recent-traffic.ts';

export function RouterTraffic() {
  const zone = useZone();
  const history = useQuery(fleetHistoryQuery({ span: 'hour' })).data;
  const traffic = history && recentTraffic(history);
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Requests per second"
          note={traffic && `${shownCount(traffic.requests)} requests, refused ones included`}
        >
          {traffic ? shownSpeed(traffic.requestsPerSecond) : '–'}
        </Stat>
        <Stat label="Tokens per second" note="Completion tokens of all requests">
          {traffic ? compactCount(Math.round(traffic.tokensPerSecond)) : '–'}
        </Stat>
        <Stat label="Failed" note={traffic && `${shownCount(traffic.failed)} with a status of 5xx`}>
          {traffic && traffic.requests > 0 ? shownShare(traffic.failed / traffic.requests) : '–'}
        </Stat>
        <Stat label="Time to first token, p50" note="Of the last minute with an answer">
          {traffic ? shownMs(traffic.ttftMs) : '–'}
        </Stat>
      </div>
      {traffic && (
        <p className="text-xs text-muted">
          Requests that ended {spanShown(traffic.start, traffic.end, 'minute', zone)}.
        </p>
      )}
    </div>
  );
}
