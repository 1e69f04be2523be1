import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { HOUR_MS } from '../../../../../shared/durations.ts';
import { lastEventQuery } from '../../../api/fleet.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { countOf, shownCount } from '../../../format/count.ts';
import { PAGES } from '../../../pages.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { type Attempts, useLastHour } from './failed-attempts.ts';
import { useFailedOnHost } from './failed-on-host.ts';
import { actionsOfStandings, standingReasons } from './standing-reasons.ts';
import { trippedOf, trippedWords } from './tripped-workers.ts';

/** There is a rule of Prometheus with this name, but no alarm of the routers. */
const RUNBOOK = 'PenstockBreakerOpen';

type BreakerNoticeProps = Readonly<{ agent: string; rows: readonly WorkerRow[] }>;

/** Which workers of a host kept failing, since when, and what follows. Nothing if none did. */
export function BreakerNotice({ agent, rows }: BreakerNoticeProps) {
  const tripped = trippedOf(rows);
  return tripped.length === 0 ? null : (
    <Tripped agent={agent} tripped={tripped} workers={rows.length} />
  );
}

type TrippedProps = Readonly<{ agent: string; tripped: readonly WorkerRow[]; workers: number }>;

function Tripped({ agent, tripped, workers }: TrippedProps) {
  const { tone, title, means } = trippedWords(tripped, workers);
  const since = useOpenSince(agent, tripped);
  const attempts = useLastHour().workers;
  return (
    <Notice tone={tone} title={title} action={<RunbookButton runbook={RUNBOOK} />}>
      <ul className="grid gap-0.5">
        {tripped.map(({ worker: { id, name } }) => (
          <li key={id}>
            {tripped.length > 1 && (
              <>
                <Code>{name}</Code>{' '}
              </>
            )}
            <Cause since={since.get(name)} attempts={attempts.get(id)} />
          </li>
        ))}
      </ul>
      <p>{means}</p>
      <FailedRequests agent={agent} />
    </Notice>
  );
}

/** When their breakers opened, ISO 8601, by their names; without those of which it is not known. */
function useOpenSince(agent: string, tripped: readonly WorkerRow[]): ReadonlyMap<string, string> {
  const workers = tripped.map(({ worker }) => worker);
  const read = useQueries({
    queries: workers.flatMap((worker) =>
      actionsOfStandings(worker).map((actions) => lastEventQuery(agent, worker.name, actions)),
    ),
  });
  const reasons = standingReasons(
    workers,
    read.flatMap(({ data }) => data ?? []),
  );
  return new Map(
    reasons.flatMap(({ workers: names, since }) => names.map((name) => [name, since] as const)),
  );
}

type CauseProps = Readonly<{ since: string | undefined; attempts: Attempts | undefined }>;

function Cause({ since, attempts }: CauseProps) {
  return (
    <>
      It kept failing
      {since !== undefined && (
        <>
          , and its breaker opened <When at={since} relative />
        </>
      )}
      .
      {attempts !== undefined && attempts.failed > 0 && (
        <>
          {' '}
          {shownCount(attempts.failed)} of {countOf(attempts.all, 'attempt')} failed in the last
          hour.
        </>
      )}
    </>
  );
}

/** How many of them are listed. */
const LISTED = 3;

/** The requests of the last hour that failed on this host and that no other host answered. */
function FailedRequests({ agent }: { agent: string }) {
  const { failures, areNone } = useFailedOnHost(agent, HOUR_MS);
  if (areNone) return <p>No failed request of the last hour ended on this host.</p>;
  if (failures.length === 0) return null;
  return (
    <p>
      Last failed requests:{' '}
      {failures
        .slice(0, LISTED)
        .map(({ request_id: request, organization, error, created }, nth) => (
          <Fragment key={request}>
            {nth > 0 && ', '}
            <Link
              to={PAGES.request.path}
              params={{ organization, request }}
              className="text-accent hover:underline"
            >
              {error !== null && <code className="font-mono text-xs">{error}</code>}{' '}
              <When at={created} relative />
            </Link>
          </Fragment>
        ))}
      .
    </p>
  );
}
