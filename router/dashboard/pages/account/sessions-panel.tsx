import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type OwnSession, sessionsQuery } from '../../api/account.ts';
import { send } from '../../api/client.ts';
import { clientName } from '../../format/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Confirm } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Badge, When } from '../../parts/shown.tsx';
import { useLeave } from '../../shell/leave.ts';
import { Section } from '../../parts/section.tsx';

export function SessionsPanel() {
  const query = useInfiniteQuery(sessionsQuery);
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. End a session that you do not recognize."
      action={<EverywhereButton />}
    >
      <Panel flush>
        <LoadedList list={query}>
          {(sessions) => (
            <ul className="divide-y divide-line">
              {thisFirst(sessions).map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Panel>
    </Section>
  );
}

function thisFirst(sessions: readonly OwnSession[]): OwnSession[] {
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
}

function SessionRow({ session }: { session: OwnSession }) {
  const { id, client, current, address, created, last_seen: lastSeen } = session;
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => send('DELETE', `/sessions/${id}`),
    meta: { refetch: [sessionsQuery.queryKey] },
    onSuccess: () => say('Session ended'),
  });
  const name = clientName(client);
  return (
    <li className="grid gap-3 px-5 py-3">
      <div className="flex items-center justify-between gap-4">
        <div className="grid min-w-0 gap-0.5 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span title={client} className="min-w-0 font-medium break-words">
              {name}
            </span>
            {current && <Badge tone="accent">This session</Badge>}
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted">
            <span className="break-all">IP address {address}</span>
            <span>{current ? 'In use now' : <LastUsed at={lastSeen} />}</span>
            <span>
              Signed in <When at={created} />
            </span>
          </p>
        </div>
        {!current && (
          <Button
            size="small"
            busy={isPending}
            aria-label={`End session: ${name}, ${address}`}
            onClick={() => mutate()}
          >
            End
          </Button>
        )}
      </div>
      <Fault error={error} />
    </li>
  );
}

function LastUsed({ at }: { at: string }) {
  return (
    <>
      Last used <When at={at} relative />
    </>
  );
}

function EverywhereButton() {
  const [open, setOpen] = useState(false);
  const leave = useLeave();
  const end = useMutation({
    mutationFn: () => send('POST', '/sign-out-everywhere'),
    onSuccess: leave,
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      {open && (
        <Confirm
          onClose={() => setOpen(false)}
          title="Sign out everywhere"
          action="Sign out everywhere"
          mutation={end}
        >
          This ends all of your sessions, including the one in this browser. API keys keep working.
        </Confirm>
      )}
    </>
  );
}
