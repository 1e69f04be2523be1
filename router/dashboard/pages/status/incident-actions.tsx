/** What operators do with incidents on the status page. */
import { useState } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { Button } from '../../parts/button.tsx';
import { DeleteDialog, ReportDialog, UpdateDialog } from './incident-dialogs.tsx';

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

export function IncidentActions({ incident }: { incident: Incident }) {
  const [open, setOpen] = useState<'update' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex gap-2">
      <Button
        size="small"
        onClick={() => setOpen('update')}
        aria-label={`Post update: ${incident.title}`}
      >
        Post update
      </Button>
      <Button
        size="small"
        look="ghost"
        onClick={() => setOpen('delete')}
        aria-label={`Delete: ${incident.title}`}
      >
        Delete
      </Button>
      {open === 'update' && <UpdateDialog incident={incident} onClose={close} />}
      {open === 'delete' && <DeleteDialog incident={incident} onClose={close} />}
    </div>
  );
}
