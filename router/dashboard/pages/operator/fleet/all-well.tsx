import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { Notice } from '../../../parts/notice.tsx';
import type { WorkerRow } from '../../../api/readings.ts';
import { troubledInWords } from './listed-workers.ts';
import { disconnectedInWords } from './lost-hosts.ts';

type AllWellProps = Readonly<{
  hosts: readonly Agent[];
  /** Empty where they are not loaded. */
  workers?: readonly WorkerRow[];
  children: ReactNode;
}>;

/** In place of a list of alarms when there is none. `children`: of what there is none. */
export function AllWell({ hosts, workers = [], children }: AllWellProps) {
  const disconnected = disconnectedInWords(hosts);
  if (disconnected !== null) {
    return (
      <Notice title={disconnected}>
        There is no alarm yet, because it may be connecting again.
      </Notice>
    );
  }
  const troubled = troubledInWords(workers);
  if (troubled !== null) {
    return <Notice title={troubled}>There is no alarm yet. The list of workers says why.</Notice>;
  }
  return (
    <Notice tone="good" title="Nothing needs attention">
      {children}
    </Notice>
  );
}
