import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../../api/audit.ts';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { AuditTable } from '../../audit/audit-table.tsx';

export const changesQuery = (person: string) => auditQuery(null, { actor: person });

/** What a person has changed in all organizations, newest first. */
export function PersonChanges({ person }: { person: string }) {
  const changes = useInfiniteQuery(changesQuery(person));
  return (
    <Panel
      title="Changes"
      description="What this person has done, from the audit log."
      flush
      className="overflow-hidden"
    >
      <LoadedList list={changes} empty={<Empty title="No changes yet" />}>
        {(entries) => <AuditTable label="Changes" entries={entries} withOrganization />}
      </LoadedList>
    </Panel>
  );
}
