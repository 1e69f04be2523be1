/** Background jobs by status. Those that were given up can be tried again. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import type { Job, JobCounts } from '../../../../../shared/api/jobs.ts';
import { SEARCH_CHARS_MAX } from '../../../../../shared/bounds/search-chars.ts';
import { JOBS_COUNTED_MAX } from '../../../../../shared/jobs.ts';
import { jobCountsQuery, jobsQuery } from '../../../api/jobs.ts';
import { shownCount } from '../../../format/count.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { Button } from '../../../parts/form/button.tsx';
import { BarLayout } from '../../../parts/list/bar-layout.tsx';
import { FilterBar } from '../../../parts/list/filter-bar.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { SearchBox } from '../../../parts/list/search-box.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { Selected, SelectAll } from '../../../parts/list/selection.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Empty } from '../../../parts/states.tsx';
import { type JobsSearch, jobsSearch } from '../../../operator-search.ts';
import { ENDED, JOB_STATES, KIND_NAMES } from './job-words.ts';
import { JobsTable } from './jobs-table.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import { RetryAllDialog, RetrySelectedDialog } from './retry-several-dialogs.tsx';

const STATES = Object.keys(JOB_STATES) as Job['state'][];
const KINDS = Object.entries(KIND_NAMES).map(([value, name]) => ({ value, name }));

export default function JobsPage() {
  const shown: JobsSearch = useSearch({ strict: false });
  const { kind, search } = shown;
  const filter = { kind, search };
  const counts = useQuery(jobCountsQuery(filter)).data;
  // When nothing has failed as the page opens, there is more to see among those that are done.
  const [opening, setOpening] = useState<Job['state']>();
  if (opening === undefined && counts) setOpening(counts.failed === 0 ? 'done' : 'failed');
  const state = shown.state ?? opening ?? 'failed';
  const jobs = useInfiniteQuery(jobsQuery(state, filter));
  const [retrying, setRetrying] = useState<Job | 'selected' | 'all' | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const retriable = (jobs.data ?? []).flatMap((job) => (job.can_retry ? job.id : []));
  // A job that is tried again meanwhile is no longer selected.
  const chosen = retriable.filter((id) => selected.has(id));
  const isNarrowed = kind !== undefined || search !== undefined;
  const close = () => setRetrying(null);
  const change = useSearchChange(jobsSearch);
  return (
    <Page
      title="Jobs"
      description="Background work, such as emails. A job that fails is tried again up to 12 times in three and a half hours."
      actions={
        <Segmented
          label="Status"
          value={state}
          choices={STATES.map((value) => ({ value, name: tabName(value, counts) }))}
          onChange={(wanted) => change({ state: wanted })}
        />
      }
    >
      <BarLayout
        filters={
          <FilterBar
            filters={[{ filter: 'kind', name: 'Kind', options: { choices: KINDS } }]}
            values={{ kind: kind === undefined ? [] : [kind] }}
            onChange={(_, [value]) => change({ kind: value })}
            onClear={() => change({ kind: undefined })}
          />
        }
      >
        <SearchBox
          label="Search jobs"
          placeholder="Organization, person, email or ID"
          charsMax={SEARCH_CHARS_MAX}
          searched={search ?? ''}
          onSearch={(text) => change({ search: text === '' ? undefined : text })}
        />
      </BarLayout>
      <Panel flush className="overflow-hidden">
        {chosen.length > 0 && (
          <Selected count={chosen.length} onClear={() => setSelected(new Set())}>
            <Button size="small" onClick={() => setRetrying('selected')}>
              Try selected again
            </Button>
          </Selected>
        )}
        {retriable.length > 0 && chosen.length === 0 && (
          <ForAdministrators>
            <SelectAll
              ids={retriable}
              selected={selected}
              onSelect={setSelected}
              action={
                <Button size="small" onClick={() => setRetrying('all')}>
                  Try all failed jobs again
                </Button>
              }
            >
              Select all jobs shown
            </SelectAll>
          </ForAdministrators>
        )}
        <LoadedList
          list={jobs}
          empty={
            <Empty icon={<ListChecks />} title={isNarrowed ? 'No jobs found' : NONE[state]}>
              {isNarrowed
                ? 'Change the search, remove the filter, or choose another status.'
                : NOTES[state]}
            </Empty>
          }
        >
          {(rows) => (
            <JobsTable {...{ rows, selected }} onSelect={setSelected} onRetry={setRetrying} />
          )}
        </LoadedList>
      </Panel>
      {retrying === 'selected' && <RetrySelectedDialog ids={chosen} onClose={close} />}
      {retrying === 'all' && <RetryAllDialog filter={filter} onClose={close} />}
      {retrying !== null && typeof retrying === 'object' && (
        <RetryDialog job={retrying} onClose={close} />
      )}
    </Page>
  );
}

/** "Failed 3". The counts are those of the search and the filter. */
function tabName(state: Job['state'], counts: JobCounts | undefined): string {
  const name = state === 'done' ? ENDED : JOB_STATES[state].name;
  if (counts === undefined) return name;
  const count = counts[state];
  return `${name} ${shownCount(count)}${count >= JOBS_COUNTED_MAX ? '+' : ''}`;
}

const NONE: Readonly<Record<Job['state'], string>> = {
  failed: 'No failed jobs',
  waiting: 'No job waits',
  running: 'No job runs',
  done: 'No job has ended in the last 30 days',
};

const NOTES: Readonly<Record<Job['state'], string>> = {
  failed: 'Jobs that fail 12 times are listed here.',
  waiting: 'Jobs are listed here until they run.',
  running: 'Most jobs take less than a second.',
  done: 'Jobs are deleted 30 days after they ended.',
};
