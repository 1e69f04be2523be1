/** The workers, one a line; what does not fit into a line is in the worker's own dialog. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Server } from 'lucide-react';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { FLEET } from '../../api/fleet.ts';
import { hitShare, READINGS_MAX, type WorkerRow } from '../../api/fleet-history.ts';
import { shownBytes, shownCount, shownShare } from '../../format/count.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Badge, type Tone } from '../../parts/shown.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table, Td, Th } from '../../parts/table.tsx';
import { WorkerDialog } from './worker-dialog.tsx';

export function WorkersTable({ rows }: { rows: readonly WorkerRow[] }) {
  const [shown, setShown] = useState<string | null>(null);
  const [draining, setDraining] = useState<string | null>(null);
  if (rows.length === 0) {
    return (
      <Empty icon={<Server />} title="No worker has a link to this router">
        Enrol an agent and start it beside an engine: its workers appear here.
      </Empty>
    );
  }
  const rowOf = (id: string | null) => rows.find(({ worker }) => worker.id === id);
  const [open, leaving] = [rowOf(shown), rowOf(draining)];
  return (
    <>
      <Table
        label="Workers"
        head={
          <>
            <Th>Worker</Th>
            <Th>State</Th>
            <Th right>Running</Th>
            <Th right>Waiting</Th>
            <Th right>Slots</Th>
            <Th>KV cache</Th>
            <Th right>Hit rate</Th>
            <Th right>Tokens/s</Th>
            <Th>GPU</Th>
            <Th>Alarms</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </>
        }
      >
        {rows.map((row) => (
          <Line
            key={row.worker.id}
            row={row}
            onShow={() => setShown(row.worker.id)}
            onDrain={() => setDraining(row.worker.id)}
          />
        ))}
      </Table>
      {open && <WorkerDialog row={open} onClose={() => setShown(null)} />}
      {leaving && <DrainWorker row={leaving} onClose={() => setDraining(null)} />}
    </>
  );
}

const STATES: Readonly<Record<WorkerRow['state'], Readonly<{ name: string; tone: Tone }>>> = {
  joining: { name: 'Joining', tone: 'neutral' },
  ready: { name: 'Ready', tone: 'good' },
  draining: { name: 'Draining', tone: 'warn' },
  gone: { name: 'Gone', tone: 'neutral' },
  closed: { name: 'Ready', tone: 'good' },
  open: { name: 'Breaker open', tone: 'bad' },
  probing: { name: 'Probing', tone: 'bad' },
  returning: { name: 'Returning', tone: 'warn' },
};

type LineProps = Readonly<{ row: WorkerRow; onShow: () => void; onDrain: () => void }>;

function Line({ row, onShow, onDrain }: LineProps) {
  const { worker, state, tokensPerSecond, speeds, kvUses } = row;
  const hits = hitShare(row);
  const alarms = worker.alarms.reduce((sum, { count }) => sum + count, 0);
  const name = `${worker.agent_name}/${worker.name}`;
  return (
    <tr className="hover:bg-hover/50">
      <Td className="max-w-60">
        <button
          type="button"
          onClick={onShow}
          className="block max-w-full truncate text-left font-medium hover:underline"
        >
          {name}
        </button>
        <span className="block truncate text-xs text-muted">
          {worker.region} · {modelsOf(worker.models)}
        </span>
        <span className="block truncate text-xs text-muted">{worker.engine}</span>
      </Td>
      <Td>
        <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge>
        {worker.share < 1 && (
          <span className="block pt-0.5 text-xs text-muted">
            {shownShare(worker.share)} of slots
          </span>
        )}
      </Td>
      <Td right>{shownCount(worker.running)}</Td>
      <Td right>{shownCount(worker.waiting)}</Td>
      <Td right className="text-muted">
        {shownCount(worker.slots)}
      </Td>
      <Td>
        <span className="flex items-center gap-2">
          <span className="grid gap-0.5">
            <Sparkline values={kvUses} slots={READINGS_MAX} most={1} className="h-3 w-14" />
            <Meter share={worker.kv_use} className="w-14" />
          </span>
          <span className="text-xs tabular-nums">{shownShare(worker.kv_use)}</span>
        </span>
      </Td>
      <Td right>{hits === null ? '–' : shownShare(hits)}</Td>
      <Td>
        <span className="flex items-center justify-end gap-2 tabular-nums">
          <Sparkline values={speeds} slots={READINGS_MAX - 1} className="h-4 w-14" />
          <span className="min-w-8 text-right">
            {tokensPerSecond === null ? '–' : shownCount(Math.round(tokensPerSecond))}
          </span>
        </span>
      </Td>
      <Td className="max-w-48">
        <Gpus gpus={worker.gpus} />
      </Td>
      <Td>
        {alarms === 0 ? (
          <span className="text-muted">None</span>
        ) : (
          <Badge tone="warn">{shownCount(alarms)}</Badge>
        )}
      </Td>
      <Td right>
        <Menu
          trigger={
            <Button look="ghost" size="small" square aria-label={`Actions for ${name}`}>
              <Ellipsis />
            </Button>
          }
        >
          <MenuItem onSelect={onShow}>Show details</MenuItem>
          <MenuItem danger disabled={worker.phase === 'draining'} onSelect={onDrain}>
            Drain worker
          </MenuItem>
        </Menu>
      </Td>
    </tr>
  );
}

/** Those of a host are mostly alike: one line for all of them. */
function Gpus({ gpus }: { gpus: WorkerRow['worker']['gpus'] }) {
  const [first] = gpus;
  if (!first) return <span className="text-muted">Not told</span>;
  const use = gpus.reduce((sum, gpu) => sum + gpu.use, 0) / gpus.length;
  const used = gpus.reduce((sum, gpu) => sum + gpu.memory_used_bytes, 0);
  const total = gpus.reduce((sum, gpu) => sum + gpu.memory_total_bytes, 0);
  return (
    <>
      <span className="block truncate">
        {gpus.length > 1 && `${gpus.length} × `}
        {first.name}
      </span>
      <span className="block text-xs whitespace-nowrap text-muted tabular-nums">
        {shownShare(use)} · {shownBytes(used)} of {shownBytes(total)}
      </span>
    </>
  );
}

/** Without the namespace, which the names of one line mostly share. */
function modelsOf(models: readonly string[]): string {
  const [only] = models;
  if (models.length !== 1 || only === undefined) return `${models.length} models`;
  return only.slice(only.indexOf('/') + 1);
}

function DrainWorker({ row: { worker }, onClose }: { row: WorkerRow; onClose: () => void }) {
  const queries = useQueryClient();
  const drain = useMutation({
    mutationFn: () => send('POST', '/workers/drain', { id: worker.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: FLEET });
      onClose();
    },
  });
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={`Drain ${worker.agent_name}/${worker.name}`}
      action="Drain worker"
      onConfirm={() => drain.mutate()}
      busy={drain.isPending}
      error={drain.error}
    >
      <p>
        It gets no new requests; those that run end whole. It takes requests again once its agent is
        started anew.
      </p>
    </Confirm>
  );
}
