import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jobsQuery } from '../../../api/jobs.ts';
import { Button } from '../../../parts/form/button.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { foremost, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import { JobSubject } from './job-subject.tsx';
import { jobName } from './job-words.ts';

const ROWS_MAX = 5;

/** The latest emails and other jobs for a person that are done. `id`: that of the person. */
export function LatestJobs({ id }: { id: string }) {
  const jobs = useInfiniteQuery(jobsQuery('done', { kind: undefined, search: id }));
  const rows = jobs.data?.slice(0, ROWS_MAX);
  return (
    <Panel
      flush
      title="Emails and jobs"
      description="Recent jobs that are done, including invitations to this address."
      actions={
        <Button size="small" asChild>
          <Link to="/operator/jobs" search={{ state: 'done', search: id }}>
            All jobs
          </Link>
        </Button>
      }
    >
      <LoadedList
        list={{ ...jobs, data: rows, hasNextPage: false }}
        empty={<Nothing flush title="None in the last 30 days" />}
      >
        {(shown) => (
          <Table label="Emails and jobs" columns={['Job', 'For', foremost('Ended')]}>
            {shown.map((job) => (
              <tr key={job.id}>
                <Td>
                  <Link
                    to="/operator/jobs/$job"
                    params={{ job: job.id }}
                    className="font-medium hover:underline"
                  >
                    {jobName(job)}
                  </Link>
                </Td>
                <Td className="max-w-64">
                  <JobSubject job={job} />
                </Td>
                <TimeCell at={job.ended} relative />
              </tr>
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}
