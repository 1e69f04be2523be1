import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { regionName } from '../../format/regions.ts';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { Code, FullTime } from '../../parts/shown.tsx';
import { filterOfOne } from '../../search-values.ts';
import { type UsageSearch } from '../../search.ts';
import { useMe, useOrganization } from '../../session.tsx';
import { WorkerHost } from '../operator/fleet/worker-host.tsx';
import { cachedText, isUncounted, NOT_REPORTED, endedAt, outcomeOf } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { WHAT_IS_STORED } from './request-heading.tsx';

/** All details of a request other than its cost. */
export function RequestFacts({ detail }: { detail: UsageDetail }) {
  const { operator } = useMe();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[4fr_3fr]">
      <Panel title="Details" description={WHAT_IS_STORED}>
        <Facts>
          <Fact name="Completion ID">
            <Id id={detail.completion_id} what="the completion ID" />
          </Fact>
          {detail.transfer_id !== null && (
            <Fact name="Charge">
              <Id id={detail.transfer_id} what="the charge ID" />
            </Fact>
          )}
          <Fact name="Model">
            <UsageOf search={{ model: filterOfOne(detail.model) }}>{detail.model}</UsageOf>
          </Fact>
          <Fact name="Key">
            <UsageOf search={{ key: detail.key_id }}>{detail.key_name ?? 'Unnamed'}</UsageOf>{' '}
            <Id id={detail.key_id} what="the key ID" />
          </Fact>
          <Fact name="Member">
            {detail.member_id === null ? (
              'None. The key does not belong to a member.'
            ) : (
              <UsageOf search={{ member: detail.member_id }}>
                {detail.member_name ?? detail.member_id}
              </UsageOf>
            )}
          </Fact>
          <Fact name="Source">{detail.source === 'playground' ? 'Playground' : 'API'}</Fact>
          {detail.endpoint !== null && (
            <Fact name="Endpoint">
              <Code>{detail.endpoint}</Code>
            </Fact>
          )}
          {detail.streamed !== null && (
            <>
              <Fact name="Streamed">{detail.streamed ? 'Yes' : 'No'}</Fact>
              <Fact name="Token limit">
                {detail.max_tokens === null ? 'Not set' : shownCount(detail.max_tokens)}
              </Fact>
            </>
          )}
          <Fact name="Region">{regionName(detail.region)}</Fact>
          {/* Its id says nothing to members, who do not see the hosts. */}
          {operator && detail.worker !== null && (
            <Fact name="Worker">
              <WorkerHost worker={detail.worker} />
            </Fact>
          )}
        </Facts>
      </Panel>
      <Panel title="Outcome">
        <Outcome detail={detail} />
      </Panel>
    </div>
  );
}

function Outcome({ detail }: { detail: UsageDetail }) {
  const { created } = detail;
  const counted = (tokens: number) => (isUncounted(detail) ? NOT_REPORTED : shownCount(tokens));
  return (
    <Facts>
      <Fact name="Status">
        <span className="flex flex-wrap items-center gap-2">
          {/* The badge of a failure has the status itself. */}
          {outcomeOf(detail).outcome !== 'failed' && detail.status}
          <OutcomeBadge of={detail} />
        </span>
      </Fact>
      <Fact name="Finish reason">{detail.finish_reason ?? 'None'}</Fact>
      <Fact name="Prompt tokens">{counted(detail.prompt_tokens)}</Fact>
      <Fact name="Cached tokens">{cachedText(detail)}</Fact>
      <Fact name="Completion tokens">{counted(detail.completion_tokens)}</Fact>
      <Fact name="Reasoning tokens">{counted(detail.reasoning_tokens)}</Fact>
      <Fact name="Arrived">
        <FullTime at={created} />
      </Fact>
      <Fact name="Ended">
        <FullTime at={endedAt(detail)} />
      </Fact>
    </Facts>
  );
}

/** A link to the usage page with `search` as its filter. */
function UsageOf({ search, children }: { search: UsageSearch; children: ReactNode }) {
  const organization = useOrganization();
  return (
    <Link
      to="/$organization/usage"
      params={{ organization }}
      search={search}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
    >
      {children}
    </Link>
  );
}
