/** The audit log of all organizations and of the platform. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { platformAuditQuery } from '../../api/platform.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table, Td, TimeCell } from '../../parts/table.tsx';
import { SearchBox } from './search-box.tsx';

export default function PlatformAuditPage() {
  const [action, setAction] = useState('');
  const [organization, setOrganization] = useState('');
  const entries = useInfiniteQuery(platformAuditQuery({ action, organization }));
  return (
    <Page
      title="Platform audit"
      description="Every change in all organizations and on the platform, newest first."
    >
      <div className="flex flex-wrap gap-3">
        <SearchBox
          label="Action"
          placeholder="Action, such as credit or credit.adjust"
          charsMax={80}
          onSearch={setAction}
        />
        <SearchBox
          label="Organization"
          placeholder="Organization ID"
          charsMax={30}
          onSearch={setOrganization}
        />
      </div>
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={{ ...entries, data: entries.error ? undefined : entries.data }}
          empty={
            <Empty icon={<ScrollText />} title="No matches">
              No entries match this action and organization. Change or clear the search.
            </Empty>
          }
        >
          {(rows) => <AuditTable rows={rows} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

function AuditTable({ rows }: { rows: readonly AuditEntry[] }) {
  return (
    <Table
      label="Platform audit"
      columns={['Time', 'Actor', 'Action', 'Organization', 'Target and details', 'IP address']}
    >
      {rows.map((entry) => (
        <tr key={entry.id}>
          <TimeCell at={entry.created} />
          <Td>
            <span className="block">
              {entry.actor.email ?? entry.actor.name ?? entry.actor.kind}
            </span>
            {entry.actor.email !== null && (
              <span className="block text-xs text-muted">{entry.actor.kind}</span>
            )}
          </Td>
          <Td className="whitespace-nowrap">
            <Code>{entry.action}</Code>
          </Td>
          <Td>
            {entry.organization === null ? (
              <span className="text-muted">Platform</span>
            ) : (
              <Link
                to="/operator/organizations/$organization"
                params={{ organization: entry.organization }}
                title={entry.organization}
                className="font-mono text-xs whitespace-nowrap hover:underline"
              >
                {shortId(entry.organization)}
              </Link>
            )}
          </Td>
          <Td className="min-w-56">
            {entry.target !== null && (
              <span title={entry.target}>
                <Code>{entry.target}</Code>
              </span>
            )}
            <Details of={entry.details} />
          </Td>
          <Td className="text-xs text-muted">{entry.address ?? '–'}</Td>
        </tr>
      ))}
    </Table>
  );
}

function Details({ of }: { of: AuditEntry['details'] }) {
  const text = Object.entries(of)
    .map(([name, value]) => `${name}: ${value ?? 'none'}`)
    .join(' · ');
  return text === '' ? null : (
    <span className="block pt-0.5 text-xs break-words text-muted">{text}</span>
  );
}

/**
 * Keeps the first four characters, which are the prefix, and the last six: ids start with their
 * time of creation and differ in their last characters.
 */
function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`;
}
