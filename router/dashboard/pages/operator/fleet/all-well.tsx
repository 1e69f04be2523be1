import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { OpenIncident } from '../../../../../shared/api/incidents.ts';
import { capitalized } from '../../../../../shared/capitalized.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { PAGES } from '../../../pages.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { useIsTold } from '../../../parts/unreachable.tsx';
import { BelowObjectiveText, useBelowObjective } from './below-objective.tsx';
import { troubledInWords } from './listed-workers.ts';
import { disconnectedInWords, lostInWords } from './lost-hosts.ts';
import { unservedInWords } from './sole-host.ts';

type Read = Readonly<{
  /** Such as "alarms". */
  name: string;
  query: Readonly<{
    dataUpdatedAt: number;
    isError: boolean;
    error: Error | null;
    refetch: () => Promise<unknown>;
  }>;
}>;

type AllWellProps = Readonly<{
  hosts: readonly Agent[];
  workers: readonly WorkerRow[];
  /** The incidents that customers are told of. */
  incidents: readonly OpenIncident[];
  /** What all of this was read by, and what it is called. */
  reads: readonly Read[];
  /** Of what there is no alarm. */
  children: ReactNode;
}>;

/**
 * In place of a list of alarms when there is none. An alarm begins some time after what it is about,
 * so this looks at hosts and workers, too, and some failures are too few for one. Nothing is said to be
 * well by figures that are not of now.
 */
export function AllWell({ hosts, workers, incidents, reads, children }: AllWellProps) {
  const failed = reads.filter(({ query }) => query.isError);
  const outdated = outdatedAt(...reads.map(({ query }) => query));
  // If no router can be reached, the page says so, and offers to try again.
  useIsTold(failed[0]?.query.error ?? null, () => {
    for (const { query } of failed) void query.refetch();
  });
  const beyond = useBelowObjective();
  const unserved = unservedInWords(workers.map(({ worker }) => worker));
  const known = [
    unserved,
    lostInWords(hosts),
    disconnectedInWords(hosts),
    troubledInWords(workers),
  ].filter((part) => part !== null);
  if (outdated !== null) {
    const well =
      incidents.length === 0 ? 'Nothing needed attention' : 'There were no active alarms';
    return (
      <>
        <Notice
          title={
            <>
              {known.length === 0 ? well : known.join(', ')} as of{' '}
              <When at={outdated} precision="seconds" />
            </>
          }
        >
          {capitalized(new Intl.ListFormat('en').format(failed.map(({ name }) => name)))} cannot be
          read now, so this may have changed.
        </Notice>
        <OpenIncidents incidents={incidents} />
      </>
    );
  }
  if (known.length > 0) {
    return (
      <>
        <Notice tone={unserved === null ? 'warn' : 'bad'} title={known.join(', ')}>
          {unserved !== null && 'Requests for what is not served are refused. '}
          There is no alarm yet. The lists of <FleetLink hash="workers" /> and{' '}
          <FleetLink hash="hosts" /> say why.
        </Notice>
        <OpenIncidents incidents={incidents} />
      </>
    );
  }
  if (beyond) {
    return (
      <>
        <Notice title="No active alarms">
          <BelowObjectiveText {...beyond} />
        </Notice>
        <OpenIncidents incidents={incidents} />
      </>
    );
  }
  if (incidents.length > 0) {
    return <OpenIncidents incidents={incidents} title="No active alarms, but open incidents" />;
  }
  return (
    <Notice tone="good" title="Nothing needs attention">
      {children}
    </Notice>
  );
}

function FleetLink({ hash }: { hash: 'workers' | 'hosts' }) {
  return (
    <Link to={PAGES.fleet.path} hash={hash} className="underline">
      {hash}
    </Link>
  );
}

type IncidentsProps = Readonly<{ incidents: readonly OpenIncident[]; title?: string }>;

/** What the banner says on all other pages. */
export function OpenIncidents({ incidents, title: heading = 'Open incidents' }: IncidentsProps) {
  if (incidents.length === 0) return null;
  return (
    <Notice tone="warn" title={heading}>
      <ul className="grid gap-0.5">
        {incidents.map(({ id, title }) => (
          <li key={id}>
            <Link to={PAGES.incidents.path} className="underline">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
