import { Link } from '@tanstack/react-router';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { shownBytes, shownCount, shownShare } from '../../../format/count.ts';
import { PAGES } from '../../../pages.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { Dialog, DialogFooter, Done } from '../../../parts/form/dialog.tsx';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts } from '../../../parts/page.tsx';
import { Code, StateBadge, When } from '../../../parts/shown.tsx';
import { useLastHour } from './failed-attempts.ts';
import { StandingFacts } from './standing-facts.tsx';
import { usualModels } from './unready-workers.ts';
import { workerStatus } from './worker-status.ts';

type WorkerDialogProps = Readonly<{
  row: WorkerRow;
  onClose: () => void;
  onDrain: () => void;
  onUndrain: () => void;
}>;

/** All details of one worker. They keep updating while the dialog is open. */
export function WorkerDialog({ row, onClose, onDrain, onUndrain }: WorkerDialogProps) {
  const { worker } = row;
  const models = usualModels(worker);
  const status = workerStatus(row);
  const attempts = useLastHour().workers.get(worker.id);
  return (
    <Dialog width="wide" onClose={onClose} title={`${worker.agent_name}/${worker.name}`}>
      <Facts>
        <Fact name="Status">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <StateBadge of={status} /> {status.means}
          </span>
        </Fact>
        <StandingFacts agent={worker.agent} workers={[worker]} />
        {worker.last_ready && (
          <Fact name="Last ready">
            <When at={worker.last_ready.at} relative />
          </Fact>
        )}
        <Fact name="Host">
          <Link
            to={PAGES.host.path}
            params={{ agent: worker.agent }}
            className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          >
            {worker.agent_name}
          </Link>
          , in {REGION_NAMES[worker.region]}
        </Fact>
        <Fact name="Engine">{worker.engine}</Fact>
        <Fact name="Agent">
          {worker.agent_version === undefined
            ? 'The router does not report its version'
            : `Penstock ${worker.agent_version}`}
        </Fact>
        <Fact name="Requests">
          {shownCount(worker.running)} running, {shownCount(worker.waiting)} waiting.{' '}
          {shownCount(worker.in_flight)} were sent by this router.
        </Fact>
        {attempts && (
          <Fact name="Failed attempts">
            {shownCount(attempts.failed)} of {shownCount(attempts.all)} in the last hour
          </Fact>
        )}
        <Fact name="Slots">
          {shownCount(worker.slots)}
          {worker.share < 1 &&
            `, of which it may use ${shownShare(worker.share)} until it has recovered`}
        </Fact>
        <Fact name="KV cache">{shownShare(worker.kv_use)} in use</Fact>
        <Fact name="Tokens generated">
          {shownCount(worker.completion_tokens)} for this router since it connected
        </Fact>
        <Fact name="GPUs">
          {worker.gpus.length === 0 && <span className="text-muted">Not reported</span>}
          <ul className="grid gap-1">
            {worker.gpus.map((gpu, index) => (
              // A GPU is identified only by its position in the list.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                {gpu.name}: {shownShare(gpu.use)}, {shownBytes(gpu.memory_used_bytes)} of{' '}
                {shownBytes(gpu.memory_total_bytes)}
              </li>
            ))}
          </ul>
        </Fact>
        {models.length > 0 && (
          <Fact name={worker.models.length === 0 ? 'Models that it served' : 'Models'}>
            <ul className="grid gap-1">
              {models.map((model) => (
                <li key={model}>
                  <Code>{model}</Code>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {worker.alarms.length > 0 && (
          <Fact name="Alarms">
            <ul className="grid gap-1">
              {worker.alarms.map(({ kind, count, last }) => (
                <li key={kind}>
                  <Code>{kind}</Code> {shownCount(count)} {count === 1 ? 'time' : 'times'}, last{' '}
                  <When at={last} relative />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {worker.notes.length > 0 && (
          <Fact name="Notes from its agent">
            <ul className="grid gap-1">
              {worker.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="ID">
          <Id id={worker.id} what="the worker ID" />
        </Fact>
      </Facts>
      <DialogFooter>
        <ForAdministrators>
          {worker.phase === 'draining' ? (
            <Button onClick={onUndrain}>End drain</Button>
          ) : (
            <Button look="danger" onClick={onDrain}>
              Drain worker
            </Button>
          )}
        </ForAdministrators>
        <Done onClose={onClose} />
      </DialogFooter>
    </Dialog>
  );
}
