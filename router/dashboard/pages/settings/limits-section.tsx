import type { Organization } from '../../../../shared/api/organizations.ts';
import { shownCount } from '../../format/count.ts';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { ContactSupport } from '../../parts/contact-support.tsx';
import { Section } from '../../parts/section.tsx';
import { contact, operator } from '../../service.ts';

const NAMES = {
  requests_per_minute: 'Requests per minute',
  tokens_per_minute: 'Tokens per minute',
  concurrent_requests: 'Concurrent requests',
} as const satisfies Record<keyof Organization['limits'], string>;

type LimitsProps = Pick<Organization, 'limits' | 'limits_in_force'>;

/** The limits in force, read-only, and whether the operator has set them for this organization. */
export function LimitsSection({ limits, limits_in_force: inForce }: LimitsProps) {
  return (
    <Section
      title="Limits"
      description={
        <>
          For all keys together. Each key can have lower limits. <WhoSets />
        </>
      }
    >
      <Panel>
        <Facts>
          {(Object.keys(NAMES) as (keyof typeof NAMES)[]).map((name) => (
            <Fact key={name} name={NAMES[name]}>
              <Limit value={inForce[name]} isDefault={limits[name] === null} />
            </Fact>
          ))}
        </Facts>
      </Panel>
    </Section>
  );
}

function WhoSets() {
  if (contact() === null) return `${operator()?.name ?? 'The operator of the service'} sets them.`;
  return (
    <>
      To change these, <ContactSupport>contact support</ContactSupport>.
    </>
  );
}

function Limit({ value, isDefault }: Readonly<{ value: number | null; isDefault: boolean }>) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <span className="min-w-16 tabular-nums">
        {value === null ? 'No limit' : shownCount(value)}
      </span>
      {!isDefault && <span className="text-muted">Set for this organization</span>}
    </span>
  );
}
