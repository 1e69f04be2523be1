import type { Organization } from '../../../../shared/api/organizations.ts';
import { shownCount } from '../../format/count.ts';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { Section } from './section.tsx';

/** The limits that the operator has set, read-only. */
export function LimitsSection({ limits }: Pick<Organization, 'limits'>) {
  return (
    <Section
      title="Limits"
      description="Limits for all keys together. The platform operator sets them."
    >
      <Panel>
        <Facts>
          <Fact name="Requests per minute">
            <Limit value={limits.requests_per_minute} />
          </Fact>
          <Fact name="Tokens per minute">
            <Limit value={limits.tokens_per_minute} />
          </Fact>
          <Fact name="Concurrent requests">
            <Limit value={limits.concurrent_requests} />
          </Fact>
        </Facts>
      </Panel>
    </Section>
  );
}

function Limit({ value }: { value: number | null }) {
  if (value === null) return <span className="text-muted">Default</span>;
  return <span className="tabular-nums">{shownCount(value)}</span>;
}
