/** A worker as one row of the fleet's table. */
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { hitShare, READINGS_MAX, type WorkerRow } from '../../../api/readings.ts';
import { shownBytes, shownCount, shownShare } from '../../../format/count.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import { Meter } from '../../../parts/meter.tsx';
import { Badge, StateBadge } from '../../../parts/shown.tsx';
import { Sparkline } from '../../../parts/chart/sparkline.tsx';
import { Td } from '../../../parts/list/table.tsx';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { requestsOn } from './drain-progress.ts';
import type { Attempts } from './failed-attempts.ts';
import { FailedCell } from './failed-cell.tsx';
import { causeOf, usualModels } from './unready-workers.ts';
import { workerStatus } from './worker-status.ts';

type LineProps = Readonly<{
  row: WorkerRow;
  /** Those of the last hour; undefined if there were none, or if they are not known. */
  attempts: Attempts | undefined;
  onShow: () => void;
  onDrain: () => void;
  onUndrain: () => void;
}>;

export function WorkerLine({ row, attempts, onShow, onDrain, onUndrain }: LineProps) {
  const { worker, tokensPerSecond, speeds, kvUses } = row;
  const hits = hitShare(row);
  const name = `${worker.agent_name}/${worker.name}`;
  const cause = causeOf(worker);
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(onShow)}>
      <Td className="max-w-56">
        <button
          type="button"
          onClick={onShow}
          className="block max-w-full truncate text-left font-medium hover:underline"
        >
          {name}
        </button>
        <span className="block truncate text-xs text-muted">
          {REGION_NAMES[worker.region]} · {modelsInWords(worker)}
        </span>
        <span className="block truncate text-xs text-muted" title={worker.engine}>
          {worker.engine}
        </span>
        {/* A card has no room for it beside its title. */}
        {cause !== null && <span className="block text-xs text-muted md:hidden">{cause}</span>}
      </Td>
      <Td>
        <Standing row={row} cause={cause} />
      </Td>
      <FailedCell attempts={attempts} />
      <Td className="whitespace-nowrap tabular-nums">
        <span className="block">{shownCount(worker.running)} running</span>
        <span className="block text-xs text-muted">
          {shownCount(worker.waiting)} waiting · {shownCount(worker.slots)} slots
        </span>
      </Td>
      <Td>
        <span className="grid w-20 gap-1">
          <span className="flex items-end justify-between gap-2">
            <span className="tabular-nums">{shownShare(worker.kv_use)}</span>
            <Sparkline
              values={kvUses}
              slots={READINGS_MAX}
              most={1}
              className="h-4 w-10 max-md:hidden!"
            />
          </span>
          <Meter share={worker.kv_use} className="w-full max-md:hidden!" />
        </span>
      </Td>
      <Td right>{hits === null ? '–' : shownShare(hits)}</Td>
      <Td>
        <span className="flex items-center justify-end gap-2 tabular-nums">
          <Sparkline values={speeds} slots={READINGS_MAX - 1} className="h-4 w-14 max-md:hidden!" />
          <span className="md:min-w-8 md:text-right">
            {tokensPerSecond === null ? '–' : shownCount(Math.round(tokensPerSecond))}
          </span>
        </span>
      </Td>
      <Td className="max-w-48">
        <Gpus gpus={worker.gpus} />
      </Td>
      <Td right>
        <ActionsMenu of={name}>
          <MenuItem onSelect={onShow}>Show details</MenuItem>
          <ForAdministrators>
            {worker.phase === 'draining' ? (
              <MenuItem onSelect={onUndrain}>End drain</MenuItem>
            ) : (
              <MenuItem danger onSelect={onDrain}>
                Drain worker
              </MenuItem>
            )}
          </ForAdministrators>
        </ActionsMenu>
      </Td>
    </tr>
  );
}

/** The worker's state and why it is not ready, the share of its slots that it may fill after failures, and its alarms. */
function Standing({ row, cause }: Readonly<{ row: WorkerRow; cause: string | null }>) {
  const { worker, state } = row;
  const alarms = worker.alarms.reduce((sum, { count }) => sum + count, 0);
  const left = state === 'draining' ? requestsOn(worker) : null;
  return (
    <span className="grid justify-items-start gap-1">
      <StateBadge of={workerStatus(row)} />
      {cause !== null && (
        <span
          title={cause}
          className="line-clamp-2 max-w-44 min-w-28 text-xs text-muted max-md:hidden!"
        >
          {cause}
        </span>
      )}
      {left !== null && left > 0 && (
        <span className="text-xs whitespace-nowrap text-muted">{shownCount(left)} left</span>
      )}
      {worker.share < 1 && (
        <span className="text-xs whitespace-nowrap text-muted">
          {shownShare(worker.share)} of slots
        </span>
      )}
      {alarms > 0 && (
        <Badge tone="bad">
          {shownCount(alarms)} {alarms === 1 ? 'alarm' : 'alarms'}
        </Badge>
      )}
    </span>
  );
}

/** Summarizes a worker's GPUs, which are mostly alike, under the name of the first one. */
function Gpus({ gpus }: { gpus: WorkerRow['worker']['gpus'] }) {
  const [first] = gpus;
  if (!first) return <span className="text-muted">Not reported</span>;
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

/** The name of a single model without its namespace, or the number of models. */
function modelsInWords(worker: WorkerRow['worker']): string {
  const models = usualModels(worker);
  const [only, ...others] = models;
  if (only === undefined) return 'no models';
  const named =
    others.length === 0 ? only.slice(only.indexOf('/') + 1) : `${shownCount(models.length)} models`;
  return worker.models.length === 0 ? `served ${named}` : named;
}
