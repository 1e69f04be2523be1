import { useState } from 'react';
import type { PersonDetail } from '../../../../../shared/api/people.ts';
import { clientName } from '../../../format/client.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';

type Session = PersonDetail['sessions'][number];

/** Where a person is signed in. An operator can end one session, or all of them. */
export function PersonSessions({ person }: { person: PersonDetail }) {
  const [ending, setEnding] = useState<Session | 'all' | null>(null);
  const { sessions } = person;
  return (
    <Panel
      title="Sessions"
      description="Where this person is signed in."
      {...(sessions.length > 0 && {
        actions: (
          <ForAdministrators>
            <Button size="small" onClick={() => setEnding('all')}>
              End all sessions
            </Button>
          </ForAdministrators>
        ),
      })}
      flush
    >
      {sessions.length === 0 ? (
        <Nothing flush title="This person has no open session" />
      ) : (
        <Table
          label="Sessions"
          columns={['Browser', 'IP address', 'Signed in', 'Last seen', 'Expires', ACTIONS]}
        >
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </Table>
      )}
      {ending !== null && (
        <EndSessionsDialog
          person={person}
          session={ending === 'all' ? undefined : ending}
          onClose={() => setEnding(null)}
        />
      )}
    </Panel>
  );
}

function SessionRow({ session, onEnd }: Readonly<{ session: Session; onEnd: () => void }>) {
  const { client, address, created, last_seen: lastSeen, expires } = session;
  const name = clientName(client);
  return (
    <tr>
      <Td title={client} className="max-w-72 truncate">
        {name}
      </Td>
      <Td className="break-all">{address}</Td>
      <TimeCell at={created} />
      <TimeCell at={lastSeen} relative />
      <TimeCell at={expires} />
      <Td right>
        <ForAdministrators>
          <Button size="small" aria-label={`End session: ${name}, ${address}`} onClick={onEnd}>
            End
          </Button>
        </ForAdministrators>
      </Td>
    </tr>
  );
}
