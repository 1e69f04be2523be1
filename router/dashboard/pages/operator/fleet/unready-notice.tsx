import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import { isUnready, type WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { causeOf } from './unready-workers.ts';

/** The alarm of workers that are not ready has this runbook, but it begins some time later. */
const RUNBOOK = RUNBOOKS.worker_not_ready;

/** Which workers of a host are not ready, and why. Nothing if all are, or drain. */
export function UnreadyNotice({ rows }: Readonly<{ rows: readonly WorkerRow[] }>) {
  const unready = rows.filter(({ worker }) => isUnready(worker));
  const [first, ...others] = unready;
  if (first === undefined) return null;
  return (
    <Notice
      // An engine that was not found before may just be starting.
      tone={unready.some(({ state }) => state === 'unready') ? 'bad' : 'neutral'}
      title={
        others.length === 0
          ? `Worker ${first.worker.name} is not ready`
          : `${shownCount(unready.length)} of ${shownCount(rows.length)} workers are not ready`
      }
      action={<RunbookButton runbook={RUNBOOK} />}
    >
      {others.length === 0 ? (
        <Cause row={first} />
      ) : (
        <ul className="grid gap-0.5">
          {unready.map((row) => (
            <li key={row.worker.id}>
              <Code>{row.worker.name}</Code> <Cause row={row} />
            </li>
          ))}
        </ul>
      )}
      <p>
        {others.length === 0
          ? 'It gets no requests until it is ready.'
          : 'They get no requests until they are ready.'}
      </p>
    </Notice>
  );
}

function Cause({ row: { worker } }: Readonly<{ row: WorkerRow }>) {
  const { last_ready: before } = worker;
  return (
    <>
      {causeOf(worker) ?? 'Its agent does not say why'}.{' '}
      {before && (
        <>
          It was last ready <When at={before.at} relative />.
        </>
      )}
    </>
  );
}
