import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { troubledInWords } from './listed-workers.ts';
import { disconnectedInWords, lostInWords } from './lost-hosts.ts';
import { unservedInWords } from './sole-host.ts';

type AllWellProps = Readonly<{
  hosts: readonly Agent[];
  workers: readonly WorkerRow[];
  /** When all of this was read, if it cannot be read again. Null: it is of now. */
  outdated: string | null;
  /** Of what there is no alarm. */
  children: ReactNode;
}>;

/**
 * In place of a list of alarms when there is none. An alarm begins some time after what it is about,
 * so this looks at hosts and workers, too. Nothing is said to be well by figures that are not of now.
 */
export function AllWell({ hosts, workers, outdated, children }: AllWellProps) {
  const unserved = unservedInWords(workers.map(({ worker }) => worker));
  const known = [
    unserved,
    lostInWords(hosts),
    disconnectedInWords(hosts),
    troubledInWords(workers),
  ].filter((part) => part !== null);
  if (outdated !== null) {
    return (
      <Notice
        title={
          <>
            {known.length === 0 ? 'Nothing needed attention' : known.join(', ')} as of{' '}
            <When at={outdated} precision="seconds" />
          </>
        }
      >
        Newer figures cannot be read now, so this may have changed.
      </Notice>
    );
  }
  if (known.length > 0) {
    return (
      <Notice tone={unserved === null ? 'neutral' : 'warn'} title={known.join(', ')}>
        {unserved !== null && 'Requests for what is not served are refused. '}
        There is no alarm yet. The lists of workers and hosts say why.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="Nothing needs attention">
      {children}
    </Notice>
  );
}
