import type { JobAttempt, JobDetail } from '../../../../../shared/api/jobs.ts';
import { shownMs } from '../../../format/count.ts';
import { Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { Empty } from '../../../parts/states.tsx';
import { numeric, Table, Td } from '../../../parts/table.tsx';
import { KnownRouter } from '../routers/known-router.tsx';

export function JobAttempts({ job }: { job: JobDetail }) {
  return (
    <Panel
      title="Attempts"
      description="The last 12, the newest first. Errors are shown without addresses, URLs and secrets. The router's log has the whole error, under the ID of the job."
      flush
    >
      {job.attempt_log.length === 0 ? (
        <Empty title="No attempt has ended">
          {endedAttempts(job) === 0
            ? 'Attempts are listed here once they have ended.'
            : 'Attempts before an upgrade of the routers are not listed.'}
        </Empty>
      ) : (
        <Table label="Attempts" columns={['Ended', numeric('Took'), 'Result', 'Router']}>
          {job.attempt_log.map((attempt) => (
            <tr key={attempt.ended}>
              <Td>
                <When at={attempt.ended} precision="seconds" />
              </Td>
              <Td right>{shownMs(tookMs(attempt))}</Td>
              <Td>
                {attempt.error === null ? (
                  <Badge tone="good">Done</Badge>
                ) : (
                  <span className="grid justify-items-start gap-1">
                    <Badge tone="bad">Failed</Badge>
                    <span className="max-w-xl break-words">{attempt.error}</span>
                  </span>
                )}
              </Td>
              <Td>
                <KnownRouter id={attempt.router} />
              </Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** The attempts of the job count from their beginning. */
function endedAttempts({ attempts, run }: JobDetail): number {
  return run === null ? attempts : attempts - 1;
}

function tookMs({ started, ended }: JobAttempt): number | null {
  return started === null ? null : Date.parse(ended) - Date.parse(started);
}
