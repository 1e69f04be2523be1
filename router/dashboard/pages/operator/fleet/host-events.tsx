/** The events of a host, newest first, and the form for a note on it. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AgentEvent, NewAgentNote } from '../../../../../shared/api/agents.ts';
import { HOST_NOTE_CHARS_MAX } from '../../../../../shared/host-events.ts';
import { type Sent, send } from '../../../api/client.ts';
import { agentEventsKey, agentEventsQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Fault, TextField } from '../../../parts/form/field.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Code, Dash } from '../../../parts/shown.tsx';
import { Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import { KnownRouter } from '../routers/known-router.tsx';
import { eventInWords } from './host-event-words.ts';

export function HostEvents({ agent }: { agent: string }) {
  const events = useInfiniteQuery(agentEventsQuery(agent));
  return (
    <Panel
      title="Events"
      description="What happened to this host, what operators did to it, and their notes. The newest come first."
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.platformAudit.path} search={{ target: agent }}>
            Audit log
          </Link>
        </Button>
      }
      flush
    >
      <ForAdministrators>
        <NoteForm agent={agent} />
      </ForAdministrators>
      <LoadedList
        list={events}
        empty={
          <Nothing flush title="No events yet">
            Changes to this host appear here.
          </Nothing>
        }
      >
        {(rows) => <EventsTable events={rows} />}
      </LoadedList>
    </Panel>
  );
}

function NoteForm({ agent }: { agent: string }) {
  /** Counts the notes that were written, to begin each with an empty field. */
  const [written, setWritten] = useState(0);
  const note = useMutation({
    mutationFn: (wanted: Sent<typeof NewAgentNote>) =>
      send<AgentEvent>('POST', `/agents/${agent}/notes`, wanted),
    meta: { refetch: [agentEventsKey(agent)] },
    onSuccess: () => setWritten((before) => before + 1),
  });
  return (
    <Form
      key={written}
      error={note.error}
      className="grid gap-2 border-t px-5 py-3"
      onSend={(text) => note.mutate({ text: text('text') })}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <TextField
            label="Note"
            param="text"
            placeholder="For other operators"
            maxLength={HOST_NOTE_CHARS_MAX}
            autoComplete="off"
            required
          />
        </div>
        <div className="grid gap-1.5">
          {/* As tall as the label, so that the button stands beside the field also above a fault. */}
          <span aria-hidden className="invisible text-sm font-medium">
            Note
          </span>
          <Button type="submit" busy={note.isPending}>
            Add note
          </Button>
        </div>
      </div>
      <Fault error={note.error} fields={['text']} />
    </Form>
  );
}

/** A card begins with what happened. */
const EVENT = { name: 'Event', card: 'title' } as const;

function EventsTable({ events }: { events: readonly AgentEvent[] }) {
  return (
    <Table label="Events" columns={['Time', EVENT, 'Worker', 'Operator or router']}>
      {events.map((event) => (
        <tr key={event.id}>
          <TimeCell at={event.created} precision="seconds" />
          <Td className="min-w-60 wrap-anywhere">
            {eventInWords(event)}
            {event.count > 1 && (
              <span className="text-muted"> · {shownCount(event.count)} times in a minute</span>
            )}
          </Td>
          <Td>{event.worker === null ? <Dash /> : <Code>{event.worker}</Code>}</Td>
          <Td>
            <By event={event} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function By({ event: { actor, router } }: { event: AgentEvent }) {
  if (actor !== null) return actor;
  if (router !== null) return <KnownRouter id={router} />;
  return <span className="text-muted">Unknown</span>;
}
