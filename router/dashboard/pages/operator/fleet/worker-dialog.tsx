import { REGION_NAMES } from '../../../../../shared/region.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { shownBytes, shownCount, shownShare } from '../../../format/count.ts';
import { Dialog } from '../../../parts/form/dialog.tsx';
import { Fact, Facts } from '../../../parts/page.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { StandingFacts } from './standing-facts.tsx';
import { usualModels } from './unready-workers.ts';

/** All details of one worker. They keep updating while the dialog is open. */
export function WorkerDialog({ row, onClose }: { row: WorkerRow; onClose: () => void }) {
  const { worker } = row;
  const models = usualModels(worker);
  return (
    <Dialog width="wide" onClose={onClose} title={`${worker.agent_name}/${worker.name}`}>
      <Facts>
        <Fact name="ID">
          <Code>{worker.id}</Code>
        </Fact>
        <Fact name="Engine">
          {worker.engine}, in {REGION_NAMES[worker.region]}
        </Fact>
        <Fact name="Agent">
          {worker.agent_version === undefined
            ? 'The router does not report its version'
            : `Penstock ${worker.agent_version}`}
        </Fact>
        <Fact name="Phase">{worker.phase}</Fact>
        <Fact name="Breaker">
          {worker.breaker}, can fill {shownShare(worker.share)} of {shownCount(worker.slots)} slots
        </Fact>
        <StandingFacts agent={worker.agent} workers={[worker]} />
        <Fact name="In flight from this router">{shownCount(worker.in_flight)}</Fact>
        <Fact name="Generated since it joined">{shownCount(worker.completion_tokens)} tokens</Fact>
        {worker.last_ready && (
          <Fact name="Last ready">
            <When at={worker.last_ready.at} relative />
          </Fact>
        )}
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
        <Fact name="Alarms">
          {worker.alarms.length === 0 && <span className="text-muted">None</span>}
          <ul className="grid gap-1">
            {worker.alarms.map(({ kind, count, last }) => (
              <li key={kind}>
                <Code>{kind}</Code> {shownCount(count)} times, last <When at={last} relative />
              </li>
            ))}
          </ul>
        </Fact>
        {worker.notes.length > 0 && (
          <Fact name="Notes from its agent">
            <ul className="grid gap-1">
              {worker.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Dialog>
  );
}
