import { Link, useNavigate } from '@tanstack/react-router';
import type { Job } from '../../../../../shared/api/jobs.ts';
import { Button } from '../../../parts/form/button.tsx';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { SelectRow, toggled } from '../../../parts/list/selection.tsx';
import { StateBadge, When } from '../../../parts/shown.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, foremost, Table, Td } from '../../../parts/list/table.tsx';
import { sentWords } from './email-words.ts';
import { failureOf } from './job-failure.ts';
import { JobSubject } from './job-subject.tsx';
import { jobName, jobState } from './job-words.ts';

type JobsTableProps = Readonly<{
  rows: readonly Job[];
  /** The ids of jobs that can be tried again. */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onRetry: (job: Job) => void;
}>;

export function JobsTable({ rows, selected, onSelect, onRetry }: JobsTableProps) {
  const navigate = useNavigate();
  const isSelecting = rows.some((job) => job.can_retry);
  return (
    <Table label="Jobs" columns={['Job', 'For', foremost('Status'), 'Result', 'When', ACTIONS]}>
      {rows.map((job) => (
        <tr
          key={job.id}
          className="cursor-pointer hover:bg-hover"
          onClick={opensOnClick(
            () => void navigate({ to: '/operator/jobs/$job', params: { job: job.id } }),
          )}
        >
          <Td className="min-w-60">
            <span className="flex items-center gap-3 max-md:items-start">
              {isSelecting && (
                <ForAdministrators>
                  {job.can_retry ? (
                    <SelectRow
                      name={`Select ${job.id}`}
                      checked={selected.has(job.id)}
                      onToggle={() => onSelect(toggled(selected, job.id))}
                    />
                  ) : (
                    // The names of all jobs stand below each other.
                    <span className="w-4 shrink-0 max-md:hidden" />
                  )}
                </ForAdministrators>
              )}
              <span>
                <Link
                  to="/operator/jobs/$job"
                  params={{ job: job.id }}
                  className="block font-medium hover:underline"
                >
                  {jobName(job)}
                </Link>
                <span className="whole font-mono text-xs whitespace-nowrap text-muted">
                  {job.id}
                </span>
              </span>
            </span>
          </Td>
          <Td className="max-w-64 min-w-40">
            <JobSubject job={job} />
          </Td>
          <Td>
            <StateBadge of={jobState(job)} />
            <Attempts job={job} />
          </Td>
          <Td className="max-w-96 wrap-anywhere sm:min-w-48">
            <Result job={job} />
          </Td>
          <Td className="whitespace-nowrap">
            <Time job={job} />
          </Td>
          {/* In a card, the title and the status take all of the first line. */}
          <Td right className="max-md:order-4! max-md:self-end!">
            {job.can_retry && (
              <ForAdministrators>
                <Button
                  size="small"
                  aria-label={`Try again: ${job.id}`}
                  onClick={() => onRetry(job)}
                >
                  Try again
                </Button>
              </ForAdministrators>
            )}
          </Td>
        </tr>
      ))}
    </Table>
  );
}

/** Why the job failed and what to do about it, or to how many people its email went. */
function Result({ job }: { job: Job }) {
  const failure = failureOf(job);
  if (failure === null) return sentWords(job) ?? <span className="text-muted">–</span>;
  return (
    <>
      {failure.why}
      {failure.cure !== null && <span className="block! text-xs text-muted">{failure.cure}</span>}
    </>
  );
}

/**
 * Each attempt of a delivery has a job of its own, so the attempts of the job say nothing of those
 * of the delivery.
 */
function Attempts({ job: { kind, attempts, attempts_max: most } }: { job: Job }) {
  if (kind === 'webhook') return null;
  return (
    <span className="block text-xs whitespace-nowrap text-muted">
      {attempts} of {most} attempts
    </span>
  );
}

/** When the job was or will be run. */
function Time({ job }: { job: Job }) {
  const { created, next_attempt: own, delivery_next_attempt: another, ended } = job;
  // The next attempt of a delivery is a job of its own.
  const next = own ?? another ?? null;
  if (next !== null) {
    return (
      <>
        Next attempt <When at={next} relative />
        <span className="block text-xs text-muted">
          <When at={next} precision="seconds" />
        </span>
      </>
    );
  }
  if (ended !== null) {
    return (
      <>
        Ended{' '}
        <span className="sm:block">
          <When at={ended} relative />
        </span>
      </>
    );
  }
  return (
    <>
      Created{' '}
      <span className="sm:block">
        <When at={created} relative />
      </span>
    </>
  );
}
