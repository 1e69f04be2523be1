import type { JobDetail } from '../../../../../shared/api/jobs.ts';
import { ATTEMPTS_KEPT_MAX } from '../../../../../shared/jobs.ts';
import { shownMs } from '../../../format/count.ts';
import { Panel } from '../../../parts/page.tsx';
import { StateBadge } from '../../../parts/shown.tsx';
import { foremost, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import { KnownRouter } from '../routers/known-router.tsx';
import { attemptOutcome } from '../../webhooks/words.ts';
import { attemptsOf } from './attempts.ts';
import { errorInWords } from './job-failure.ts';

const RESULTS = {
  done: { tone: 'good', name: 'Done' },
  delivered: { tone: 'good', name: 'Delivered' },
  failed: { tone: 'bad', name: 'Failed' },
} as const;

export function JobAttempts({ job }: { job: JobDetail }) {
  const attempts = attemptsOf(job);
  return (
    <Panel title="Attempts" description={descriptionOf(job)} flush>
      {attempts.length === 0 ? (
        <Nothing flush title="No attempt has ended">
          {endedAttempts(job) === 0
            ? 'Attempts are listed here once they have ended.'
            : 'Attempts before an upgrade of the routers are not listed.'}
        </Nothing>
      ) : (
        <Table label="Attempts" columns={['Ended', numeric('Took'), foremost('Result'), 'Router']}>
          {attempts.map(({ ended, tookMs, result, error, answer, router }) => (
            <tr key={`${ended} ${router}`}>
              <TimeCell at={ended} precision="seconds" />
              <Td right>{shownMs(tookMs)}</Td>
              <Td>
                <span className="grid justify-items-start gap-1">
                  <StateBadge of={RESULTS[result]} />
                  {answer ? (
                    <span className="max-w-xl break-words">{attemptOutcome(answer)}</span>
                  ) : (
                    error !== null && <Failed kind={job.kind} error={error} />
                  )}
                </span>
              </Td>
              <Td>
                {router === null ? (
                  <span className="text-muted">In another job</span>
                ) : (
                  <KnownRouter id={router} />
                )}
              </Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Failed({ kind, error }: Readonly<{ kind: string; error: string }>) {
  const why = errorInWords(kind, error);
  return (
    <span className="max-w-xl wrap-anywhere">
      {why}
      {why !== error && <span className="block text-xs text-muted">{error}</span>}
    </span>
  );
}

function descriptionOf({ delivery }: JobDetail): string {
  const which = delivery
    ? `The last ${ATTEMPTS_KEPT_MAX} of the delivery, the newest first. Each attempt has a job of its own.`
    : `The last ${ATTEMPTS_KEPT_MAX}, the newest first.`;
  return `${which} Errors are shown without addresses, URLs and secrets. The router's log has the whole error, under the ID of the job.`;
}

/** The attempts of the job count from their beginning. */
function endedAttempts({ attempts, run }: JobDetail): number {
  return run === null ? attempts : attempts - 1;
}
