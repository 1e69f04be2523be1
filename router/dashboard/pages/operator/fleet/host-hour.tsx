/** What a host did in the last hour, whether it is slower than its peers, and what happened last. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HOUR_MS } from '../../../../../shared/durations.ts';
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { fleetHistoryQuery, GROUPS_MAX, type HistoryFilter } from '../../../api/fleet-history.ts';
import { agentEventsQuery } from '../../../api/fleet.ts';
import { shownCount, shownMs, shownSpeed } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { When } from '../../../parts/shown.tsx';
import { PAGES } from '../../../pages.ts';
import { useFailedOnHost } from './failed-on-host.ts';
import { errorsOf } from './history-series.ts';
import { eventInWords } from './host-event-words.ts';
import { comparedWith, comparisonInWords, peersOf } from './peers.ts';

type HostHourProps = Readonly<{
  agent: string;
  /** Of all hosts; undefined while they are not known. */
  workers: readonly WorkerEntry[] | undefined;
}>;

export function HostHour({ agent, workers }: HostHourProps) {
  const hour = useKnown({ span: 'hour', agent });
  const hosts = useKnown({ span: 'hour', group_by: 'agent', groups: GROUPS_MAX });
  const own = hour?.groups[0]?.total;
  const failed = own ? errorsOf(own) : 0;
  const against = { own, hosts, peers: workers && peersOf(agent, workers) };
  return (
    <section aria-label="Last hour" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="Answered, last hour"
        note={
          hour && (failed === 0 ? 'No attempt failed here' : <FailedHere {...{ agent, failed }} />)
        }
      >
        {hour ? shownCount(own?.answered ?? 0) : '–'}
      </Stat>
      <Against label="Time to first token, p50" figure="ttft_ms" format={shownMs} {...against} />
      <Against
        label="Tokens/s of one answer, p50"
        figure="speed"
        format={shownSpeed}
        {...against}
      />
      <LastEvent agent={agent} />
    </section>
  );
}

type FailedHereProps = Readonly<{ agent: string; failed: number }>;

/** Of requests that another host answered then, only the number is known. */
function FailedHere({ agent, failed }: FailedHereProps) {
  const [last] = useFailedOnHost(agent, HOUR_MS).failures;
  return (
    <>
      <span className="text-bad">
        {shownCount(failed)} {failed === 1 ? 'attempt' : 'attempts'} failed here
      </span>
      {last && (
        <Link
          to={PAGES.request.path}
          params={{ organization: last.organization, request: last.request_id }}
          className="block text-accent hover:underline"
        >
          Last failed request, <When at={last.created} relative />
        </Link>
      )}
    </>
  );
}

/** A history as it was last read. Undefined before that, and if the last attempt to read it failed. */
function useKnown(filter: HistoryFilter): FleetHistory | undefined {
  const { data, isPlaceholderData, isError } = useQuery(fleetHistoryQuery(filter));
  return isPlaceholderData || isError ? undefined : data;
}

type AgainstProps = Readonly<{
  label: string;
  figure: 'ttft_ms' | 'speed';
  format: (value: number | null) => string;
  own: FleetFigures | undefined;
  /** The figures of all hosts; undefined while they are not known, as for the peers. */
  hosts: FleetHistory | undefined;
  peers: ReadonlySet<string> | null | undefined;
}>;

function Against({ label, figure, format, own, hosts, peers }: AgainstProps) {
  const compared = comparedWith(own, hosts?.groups ?? [], peers ?? new Set(), figure);
  return (
    <Stat
      label={label}
      note={
        <>
          {compared.isSlow && <span className="block text-warn">Slower than its peers</span>}
          {hosts && peers !== undefined ? comparisonInWords(compared, peers, format) : '–'}
        </>
      }
    >
      {format(compared.own)}
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
