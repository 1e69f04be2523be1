/** What operators do with incidents on the status page. */
import { useState } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { Button } from '../../parts/form/button.tsx';
import { CorrectDialog, DeleteDialog, UpdateDialog } from './incident-dialogs.tsx';
import { ReportDialog } from './report-dialog.tsx';

export function ReportIncident({
  models,
}: {
  models: readonly Readonly<{ id: string; name: string }>[];
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Report an incident
      </Button>
      {isOpen && <ReportDialog models={models} onClose={() => setOpen(false)} />}
    </>
  );
}

type ActionsProps = Readonly<{
  incident: Incident;
  /** The models that can be affected. Undefined while they are loading. */
  models: readonly Readonly<{ id: string; name: string }>[] | undefined;
}>;

export function IncidentActions({ incident, models }: ActionsProps) {
  const [open, setOpen] = useState<'update' | 'resolve' | 'correct' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        onClick={() => setOpen('update')}
        aria-label={`Post update: ${incident.title}`}
      >
        Post update
      </Button>
      {incident.state !== 'resolved' && (
        <Button
          size="small"
          onClick={() => setOpen('resolve')}
          aria-label={`Resolve: ${incident.title}`}
        >
          Resolve
        </Button>
      )}
      {models && (
        <Button
          size="small"
          look="ghost"
          onClick={() => setOpen('correct')}
          aria-label={`Edit: ${incident.title}`}
        >
          Edit
        </Button>
      )}
      <Button
        size="small"
        look="ghost"
        onClick={() => setOpen('delete')}
        aria-label={`Delete: ${incident.title}`}
      >
        Delete
      </Button>
      {open === 'update' && (
        <UpdateDialog incident={incident} state={incident.state} onClose={close} />
      )}
      {open === 'resolve' && <UpdateDialog incident={incident} state="resolved" onClose={close} />}
      {open === 'correct' && models && (
        <CorrectDialog incident={incident} models={models} onClose={close} />
      )}
      {open === 'delete' && <DeleteDialog incident={incident} onClose={close} />}
    </div>
  );
}
