/** A part of the audit log on another page, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { auditQuery } from '../../api/audit.ts';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { AuditTable } from './audit-table.tsx';

type AuditPanelProps = Readonly<{
  title: string;
  description: string;
  query: ReturnType<typeof auditQuery>;
  withOrganization?: boolean;
  actions?: ReactNode;
  empty?: ReactNode;
}>;

export function AuditPanel({
  title,
  description,
  query,
  withOrganization = false,
  actions,
  empty = <Empty title="No changes yet" />,
}: AuditPanelProps) {
  const entries = useInfiniteQuery(query);
  return (
    <Panel
      title={title}
      description={description}
      actions={actions}
      flush
      className="overflow-hidden"
    >
      <LoadedList list={entries} empty={empty}>
        {(rows) => <AuditTable label={title} entries={rows} withOrganization={withOrganization} />}
      </LoadedList>
    </Panel>
  );
}
