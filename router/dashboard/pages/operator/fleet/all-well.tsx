import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { OpenIncident } from '../../../../../shared/api/incidents.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { PAGES } from '../../../pages.ts';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { troubledInWords } from './listed-workers.ts';
import { disconnectedInWords, lostInWords } from './lost-hosts.ts';
import { unservedInWords } from './sole-host.ts';

type AllWellProps = Readonly<{
  hosts: readonly Agent[];
  workers: readonly WorkerRow[];
  /** The incidents that customers are told of. */
  incidents: readonly OpenIncident[];
  /** When all of this was read, if it cannot be read again. Null: it is of now. */
  outdated: string | null;
  /** Of what there is no alarm. */
  children: ReactNode;
}>;

/**
 * In place of a list of alarms when there is none. An alarm begins some time after what it is about,
 * so this looks at hosts and workers, too. Nothing is said to be well by figures that are not of now.
 */
export function AllWell({ hosts, workers, incidents, outdated, children }: AllWellProps) {
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
          Newer figures cannot be read now, so this may have changed.
        </Notice>
        <Incidents incidents={incidents} title="Open incidents" />
      </>
    );
  }
  if (known.length > 0) {
    return (
      <>
        <Notice tone={unserved === null ? 'neutral' : 'bad'} title={known.join(', ')}>
          {unserved !== null && 'Requests for what is not served are refused. '}
          There is no alarm yet. The lists of <FleetLink hash="workers" /> and{' '}
          <FleetLink hash="hosts" /> say why.
        </Notice>
        <Incidents incidents={incidents} title="Open incidents" />
      </>
    );
  }
  if (incidents.length > 0) {
    return <Incidents incidents={incidents} title="No active alarms, but open incidents" />;
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

type IncidentsProps = Readonly<{ incidents: readonly OpenIncident[]; title: string }>;

function Incidents({ incidents, title: heading }: IncidentsProps) {
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
