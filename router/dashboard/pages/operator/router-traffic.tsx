/** What all routers together have served in the last minutes, from the history of the fleet. */
import { useQuery } from '@tanstack/react-query';
import { fleetHistoryQuery } from '../../api/fleet-history.ts';
import { compactCount, shownCount, shownMs, shownShare, shownSpeed } from '../../format/count.ts';
import { Stat } from '../../parts/page.tsx';
import { recentTraffic, TRAFFIC_MINUTES } from './recent-traffic.ts';

const NOTE = `In the last ${TRAFFIC_MINUTES} minutes`;

export function RouterTraffic() {
  const history = useQuery(fleetHistoryQuery({ span: 'hour' })).data;
  const traffic = history && recentTraffic(history);
  return (
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
        {traffic
          ? traffic.requests === 0
            ? '–'
            : shownShare(traffic.failed / traffic.requests)
          : '–'}
      </Stat>
      <Stat label="Time to first token, median" note={NOTE}>
        {traffic ? shownMs(traffic.ttftMs) : '–'}
      </Stat>
    </div>
  );
}
