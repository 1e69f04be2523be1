import type { ReactNode } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { Notice } from '../../../parts/notice.tsx';
import { missingInWords } from './lost-hosts.ts';

type AllWellProps = Readonly<{ hosts: readonly Agent[]; children: ReactNode }>;

/** In place of a list of alarms when there is none. `children`: of what there is none. */
export function AllWell({ hosts, children }: AllWellProps) {
  const missing = missingInWords(hosts);
  if (missing !== null) {
    return (
      <Notice title={missing}>
        There is no alarm yet. It may be connecting again, or be connected to another router only.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="Nothing needs attention">
      {children}
    </Notice>
  );
}
