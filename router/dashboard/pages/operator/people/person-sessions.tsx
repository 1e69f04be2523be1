import type { PersonDetail } from '../../../../../shared/api/people.ts';
import { clientName } from '../../../format/client.ts';
import { Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { Table, Td, TimeCell } from '../../../parts/table.tsx';

/** Where a person is signed in, read-only. The person ends sessions on their own page. */
export function PersonSessions({ sessions }: Pick<PersonDetail, 'sessions'>) {
  return (
    <Panel title="Sessions" description="Where this person is signed in." flush>
      {sessions.length === 0 ? (
        <Empty title="Not signed in">This person has no open session.</Empty>
      ) : (
        <Table label="Sessions" columns={['Browser', 'IP address', 'Signed in', 'Last seen']}>
          {sessions.map(({ id, client, address, created, last_seen: lastSeen }) => (
            <tr key={id}>
              <Td title={client} className="max-w-72 truncate">
                {clientName(client)}
              </Td>
              <Td className="break-all">{address}</Td>
              <TimeCell at={created} />
              <TimeCell at={lastSeen} relative />
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
