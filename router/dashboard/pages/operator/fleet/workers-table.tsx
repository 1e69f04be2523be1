/** The workers, one per row. Details that do not fit into a row are in the worker's dialog. */
import { useMutation } from '@tanstack/react-query';
import { Server } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { send } from '../../../api/client.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import type { WorkerSort } from '../../../operator-search.ts';
import { AGENTS, drainWorker, FLEET } from '../../../api/fleet.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { Empty } from '../../../parts/states.tsx';
import { sortedBy, type Sorting } from '../../../parts/list/sorting.tsx';
import { ACTIONS, foremost, numeric, Table } from '../../../parts/list/table.tsx';
import { drainMeans, undrainMeans } from './drain-meaning.ts';
import { requestsOn } from './drain-progress.ts';
import { DrainReason } from './drain-reason.tsx';
import { useLastHour } from './failed-attempts.ts';
import { FAILED_COLUMN } from './failed-cell.tsx';
import { SoleHostWarning } from './sole-host-warning.tsx';
import { WorkerDialog } from './worker-dialog.tsx';
import { WorkerLine } from './worker-line.tsx';

type WorkersTableProps = Readonly<{
  rows: readonly WorkerRow[];
  /** Shown in one line if there are none, instead of how to add the first. */
  none?: ReactNode;
  /** By which column the rows are sorted, for a list that people can sort. */
  sorting?: Sorting<WorkerSort>;
  onSort?: (wanted: Sorting<WorkerSort>) => void;
}>;

export function WorkersTable({ rows, none, sorting, onSort }: WorkersTableProps) {
  const [shown, setShown] = useState<string | null>(null);
  const [draining, setDraining] = useState<string | null>(null);
  const [undraining, setUndraining] = useState<string | null>(null);
  const hour = useLastHour();
  if (rows.length === 0) {
    return none === undefined ? (
      <Empty icon={<Server />} title="No workers connected to this router">
        Enrol a host and start its agent. Its workers appear here.
      </Empty>
    ) : (
      <p className="border-t px-5 py-3 text-sm text-muted">{none}</p>
    );
  }
  const rowOf = (id: string | null) => rows.find(({ worker }) => worker.id === id);
  const by = sorting && onSort ? sortedBy(sorting, onSort) : () => ({});
  const [open, leaving, returning] = [rowOf(shown), rowOf(draining), rowOf(undraining)];
  return (
    <>
      <Table
        label="Workers"
        columns={[
          { name: 'Worker', ...by('name', 'asc') },
          foremost('Status'),
          { ...FAILED_COLUMN, ...by('failed') },
          { name: 'Requests', ...by('requests') },
          { name: 'KV cache', ...by('kv_use') },
          numeric('Hit rate'),
          { ...numeric('Tokens/s'), ...by('tokens') },
          'GPU',
          ACTIONS,
        ]}
      >
        {rows.map((row) => (
          <WorkerLine
            key={row.worker.id}
            row={row}
            attempts={hour.workers.get(row.worker.id)}
            onShow={() => setShown(row.worker.id)}
            onDrain={() => setDraining(row.worker.id)}
            onUndrain={() => setUndraining(row.worker.id)}
          />
        ))}
      </Table>
      {open && (
        <WorkerDialog
          row={open}
          onClose={() => setShown(null)}
          onDrain={() => {
            setShown(null);
            setDraining(open.worker.id);
          }}
          onUndrain={() => {
            setShown(null);
            setUndraining(open.worker.id);
          }}
        />
      )}
      {leaving && <DrainWorker row={leaving} onClose={() => setDraining(null)} />}
      {returning && <UndrainWorker row={returning} onClose={() => setUndraining(null)} />}
    </>
  );
}

function DrainWorker({ row: { worker }, onClose }: { row: WorkerRow; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const drain = useMutation({
    mutationFn: () => drainWorker(worker.id, reason),
    // The events of its host have the drain.
    meta: { refetch: [AGENTS, FLEET] },
    onSuccess: onClose,
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Drain worker ${worker.agent_name}/${worker.name}`}
      action="Drain worker"
      isEdited={reason !== ''}
      mutation={drain}
    >
      <p>{drainMeans('worker', requestsOn(worker))}</p>
      <SoleHostWarning leaves={({ id }) => id === worker.id} />
      <DrainReason what="worker" error={drain.error} onChange={setReason} />
    </Confirm>
  );
}

function UndrainWorker({ row: { worker }, onClose }: { row: WorkerRow; onClose: () => void }) {
  const undrain = useMutation({
    mutationFn: () => send('POST', '/workers/undrain', { id: worker.id }),
    meta: { refetch: [AGENTS, FLEET] },
    onSuccess: onClose,
  });
  return (
    <Confirm
      onClose={onClose}
      title={`End the drain of worker ${worker.agent_name}/${worker.name}`}
      action="End drain"
      harmless
      mutation={undrain}
    >
      <p>{undrainMeans('worker')}</p>
    </Confirm>
  );
}
