/** One background job: what it is for, its attempts, and the delivery that it belongs to. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { JobDetail } from '../../../../../shared/api/jobs.ts';
import { jobQuery } from '../../../api/jobs.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { Id } from '../../../parts/id.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Fact, Facts, Page, Panel } from '../../../parts/page.tsx';
import { Code, StateBadge, When } from '../../../parts/shown.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { isUnknown, UnknownItem } from '../../../parts/unknown-item.tsx';
import { KnownRouter } from '../routers/known-router.tsx';
import { sentWords } from './email-words.ts';
import { JobAttempts } from './job-attempts.tsx';
import { JobDelivery } from './job-delivery.tsx';
import { JobFacts } from './job-facts.tsx';
import { failureOf } from './job-failure.ts';
import { JobSubject } from './job-subject.tsx';
import { jobName, jobNote, jobState } from './job-words.ts';
import { RetryDialog } from './retry-dialog.tsx';

export default function JobPage() {
  const { job: id = '' } = useParams({ strict: false });
  const query = useQuery(jobQuery(id));
  const job = query.data;
  /** As it was when the button was pressed. */
  const [retried, setRetried] = useState<JobDetail | null>(null);
  if (isUnknown(query.error)) return <UnknownItem kind="jobs" />;
  return (
    <Page
      title={job ? jobName(job) : 'Job'}
      description={job && jobNote(job)}
      back={
        <BackLink to="/operator/jobs" search={job ? { state: job.state } : {}}>
          Jobs
        </BackLink>
      }
      actions={
        (job?.can_retry === true || job?.can_try_now === true) && (
          <ForAdministrators>
            <Button look="primary" onClick={() => setRetried(job)}>
              {job.can_retry ? 'Try again' : 'Try now'}
            </Button>
          </ForAdministrators>
        )
      }
    >
      <Loaded query={query}>
        {(known) => (
          <>
            {known.retry_refusal !== null && (
              <Notice tone="warn" title="This job cannot be tried again here">
                {known.retry_refusal}
              </Notice>
            )}
            <Standing job={known} />
            {known.delivery && <JobDelivery delivery={known.delivery} />}
            <JobAttempts job={known} />
          </>
        )}
      </Loaded>
      {retried && <RetryDialog job={retried} onClose={() => setRetried(null)} />}
    </Page>
  );
}

/** Why it failed in words, and the error itself for whoever looks for it in a log. */
function Failure({ job }: { job: JobDetail }) {
  const failure = failureOf(job);
  if (failure === null) return null;
  const { why, cure } = failure;
  return (
    <>
      <Fact name="Why it failed">
        {why}.{cure !== null && <span className="block text-muted">{cure}</span>}
      </Fact>
      {job.last_error !== null && job.last_error !== why && (
        <Fact name="Last error">
          <Code>{job.last_error}</Code>
        </Fact>
      )}
    </>
  );
}

function Standing({ job }: { job: JobDetail }) {
  const { id, kind, attempts, attempts_max: most, created, ended, run } = job;
  const sent = sentWords(job);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Panel title="Job">
        <Facts>
          <Fact name="Status">
            <StateBadge of={jobState(job)} />
          </Fact>
          {kind !== 'webhook' && (
            <Fact name="Attempts">
              {attempts} of {most}
            </Fact>
          )}
          {sent !== null && <Fact name="Email">{sent}</Fact>}
          <Failure job={job} />
          {job.next_attempt !== null && (
            <Fact name="Next attempt">
              <When at={job.next_attempt} relative /> (
              <When at={job.next_attempt} precision="seconds" />)
            </Fact>
          )}
          {run && (
            <Fact name="Running">
              {run.started !== null && (
                <>
                  Since <When at={run.started} precision="seconds" /> on{' '}
                </>
              )}
              <KnownRouter id={run.router} />
            </Fact>
          )}
          <Fact name="Created">
            <When at={created} precision="seconds" />
          </Fact>
          {ended !== null && (
            <Fact name="Ended">
              <When at={ended} precision="seconds" />
            </Fact>
          )}
          <Fact name="ID">
            <Id id={id} what="the job ID" />
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Subject">
        <Facts>
          <Fact name="For">
            <JobSubject job={job} />
          </Fact>
          <JobFacts job={job} />
        </Facts>
      </Panel>
    </div>
  );
}
