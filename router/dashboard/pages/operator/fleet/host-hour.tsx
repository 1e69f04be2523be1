/** What a host did in the last hour, whether it is slower than its peers, and what happened last. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { fleetHistoryQuery, GROUPS_MAX } from '../../../api/fleet-history.ts';
import { agentEventsQuery } from '../../../api/fleet.ts';
import { shownChange, shownCount, shownMs, shownSpeed } from '../../../format/count.ts';
import { cx } from '../../../parts/class-names.ts';
import { Stat } from '../../../parts/page.tsx';
import { When } from '../../../parts/shown.tsx';
import { errorsOf } from './history-series.ts';
import { eventInWords } from './host-event-words.ts';
import { type Compared, comparedWith, peersOf } from './peers.ts';

type HostHourProps = Readonly<{
  agent: string;
  /** Of all hosts. */
  workers: readonly WorkerEntry[];
}>;

export function HostHour({ agent, workers }: HostHourProps) {
  const own = useQuery(fleetHistoryQuery({ span: 'hour', agent })).data?.groups[0]?.total;
  const hosts = useQuery(
    fleetHistoryQuery({ span: 'hour', group_by: 'agent', groups: GROUPS_MAX }),
  ).data;
  const peers = peersOf(agent, workers);
  const compared = (figure: 'ttft_ms' | 'speed') =>
    comparedWith(own, hosts ?? { groups: [] }, peers, figure);
  const failed = own ? errorsOf(own) : 0;
  return (
    <section aria-label="Last hour" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="Answered, last hour"
        note={
          <span className={cx(failed > 0 && 'text-bad')}>
            {failed === 0 ? 'No attempt failed here' : `${shownCount(failed)} attempts failed here`}
          </span>
        }
      >
        {own ? shownCount(own.answered) : '0'}
      </Stat>
      <Against
        label="Time to first token, p50"
        of={compared('ttft_ms')}
        peers={peers.size}
        format={shownMs}
      />
      <Against
        label="Tokens/s of one answer, p50"
        of={compared('speed')}
        peers={peers.size}
        format={shownSpeed}
      />
      <LastEvent agent={agent} />
    </section>
  );
}

type AgainstProps = Readonly<{
  label: string;
  of: Compared;
  /** How many peers there are, of which some may have answered nothing. */
  peers: number;
  format: (value: number | null) => string;
}>;

function Against({ label, of: { own, others, isSlow }, peers, format }: AgainstProps) {
  const change = shownChange(own, others);
  const which =
    peers === 1 ? 'The other host of its models' : `Median of ${shownCount(peers)} peers`;
  return (
    <Stat
      label={label}
      note={
        peers === 0 ? (
          'No other host serves its models'
        ) : (
          <>
            {which}: {format(others)}
            {change !== null && change !== '0%' && ` (${change})`}
          </>
        )
      }
    >
      {format(own)}
      {isSlow && <span className="text-base font-normal text-warn"> slow</span>}
    </Stat>
  );
}

function LastEvent({ agent }: { agent: string }) {
  const [event] = useInfiniteQuery(agentEventsQuery(agent)).data ?? [];
  return (
    <Stat
      label={
        <Link to="." search={true} hash="events" className="hover:underline">
          Last event
        </Link>
      }
      note={event && <span className="line-clamp-2 wrap-anywhere">{eventInWords(event)}</span>}
    >
      <When at={event?.created ?? null} relative never="–" />
    </Stat>
  );
}
