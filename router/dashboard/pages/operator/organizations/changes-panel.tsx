import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { auditQuery } from '../../../api/audit.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/button.tsx';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { AuditTable } from '../../audit/audit-table.tsx';

/** What was changed in the organization, newest first. */
export function ChangesPanel({ organization }: { organization: string }) {
  const changes = useInfiniteQuery(auditQuery(organization, {}));
  return (
    <Panel
      title="Changes"
      description="Every change to the organization, newest first. Open a row for details."
      flush
      className="overflow-hidden"
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.platformAudit.path} search={{ organization }}>
            Filter and export
          </Link>
        </Button>
      }
    >
      <LoadedList list={changes} empty={<Empty title="No changes yet" />}>
        {(entries) => <AuditTable entries={entries} withOrganization={false} />}
      </LoadedList>
    </Panel>
  );
}
