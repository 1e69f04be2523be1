import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { Notice } from '../../../parts/notice.tsx';
import { disconnectedInWords } from './lost-hosts.ts';

type AllWellProps = Readonly<{ hosts: readonly Agent[]; children: ReactNode }>;

/** In place of a list of alarms when there is none. `children`: of what there is none. */
export function AllWell({ hosts, children }: AllWellProps) {
  const disconnected = disconnectedInWords(hosts);
  if (disconnected !== null) {
    return (
      <Notice title={disconnected}>
        There is no alarm yet, because it may be connecting again.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="Nothing needs attention">
      {children}
    </Notice>
  );
}
