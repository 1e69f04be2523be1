import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../../api/audit.ts';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { AuditTable } from '../../audit/audit-table.tsx';

export const historyQuery = (person: string) => auditQuery(null, { account: person });

/** What the person, operators and strangers did to the account, newest first. */
export function AccountHistory({ person }: { person: string }) {
  const history = useInfiniteQuery(historyQuery(person));
  return (
    <Panel
      title="Account history"
      description="Locks, passwords, links and refused sign-ins of this account, from the audit log."
      flush
      className="overflow-hidden"
    >
      <LoadedList
        list={history}
        empty={<Empty title="No history yet">Nothing has happened to this account.</Empty>}
      >
        {(entries) => (
          <AuditTable label="Account history" entries={entries} withOrganization={false} />
        )}
      </LoadedList>
    </Panel>
  );
}
