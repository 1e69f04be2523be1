/** A connected host at a glance: how much it serves, and how full it is. */
import { hitShare, READINGS_MAX, totalsOf, type WorkerRow } from '../../../api/readings.ts';
import { compactCount, shownBytes, shownCount, shownShare } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { SpeedNote } from './speed-note.tsx';

export function HostTotals({ rows }: Readonly<{ rows: readonly WorkerRow[] }>) {
  const totals = totalsOf(rows);
  const { running, waiting, tokensPerSecond, speeds, looked } = totals;
  // Also of workers that drain: their requests still run in these.
  const slots = rows.reduce((sum, { worker }) => sum + worker.slots, 0);
  const hits = hitShare(totals);
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="Requests running"
        note={`${shownCount(waiting)} waiting · ${shownCount(slots)} slots`}
      >
        {shownCount(running)}
      </Stat>
      <Stat
        label="Tokens per second"
        note={<SpeedNote now={tokensPerSecond} speeds={speeds} slots={READINGS_MAX - 1} />}
      >
        {tokensPerSecond === null ? '–' : shownCount(Math.round(tokensPerSecond))}
      </Stat>
      <Stat
        label="KV cache in use"
        note={
          hits === null
            ? 'Prefix hit rate: no recent prompts'
            : `Prefix hit rate ${shownShare(hits)}, of ${compactCount(looked)} recent prompt tokens`
        }
      >
        {shownShare(Math.max(...rows.map(({ worker }) => worker.kv_use)))}
      </Stat>
      <GpuStat rows={rows} />
    </div>
  );
}

type Gpu = WorkerRow['worker']['gpus'][number];

/** Several workers may report the same GPUs, which cannot be added up. */
function GpuStat({ rows }: Readonly<{ rows: readonly WorkerRow[] }>) {
  const reported = rows.map(({ worker }) => worker.gpus).filter(({ length }) => length > 0);
  const [gpus = []] = reported;
  const [first] = gpus;
  if (first === undefined || reported.length > 1) {
    return (
      <Stat
        label="GPUs"
        note={first === undefined ? 'Its agent reports none' : 'Reported by each worker below'}
      >
        –
      </Stat>
    );
  }
  const sum = (of: (gpu: Gpu) => number) => gpus.reduce((total, gpu) => total + of(gpu), 0);
  const used = shownBytes(sum((gpu) => gpu.memory_used_bytes));
  const total = shownBytes(sum((gpu) => gpu.memory_total_bytes));
  return (
    <Stat
      label={gpus.length > 1 ? `${shownCount(gpus.length)} × ${first.name}` : first.name}
      note={`${used} of ${total} of memory in use`}
    >
      {shownShare(sum((gpu) => gpu.use) / gpus.length)}
    </Stat>
  );
}
