import { Link } from '@tanstack/react-router';
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import { regionName } from '../../format/regions.ts';
import { PAGES } from '../../pages.ts';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { useHasPage } from '../keys/use-has-page.ts';
import { CausePanel } from './cause-panel.tsx';
import { refusedAs } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { WHAT_IS_STORED } from './request-heading.tsx';
import { Timeline } from './timeline.tsx';

/** A request that was refused before it was admitted. */
export function RefusedRequest({ refusal }: { refusal: RefusalEntry }) {
  const { status, code, created } = refusal;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <CausePanel
        code={code}
        message={refusal.message}
        model={refusal.model}
        apiKey={{ id: refusal.key_id, name: refusal.key_name }}
      />
      <Timeline
        start={created}
        events={[{ name: 'Refused', afterMs: null, note: `${status} ${code}`, look: 'refused' }]}
        note="The request was refused before it was admitted. No host got it, and nothing was charged."
      />
      <Panel title="Details" description={WHAT_IS_STORED}>
        <Facts>
          <Fact name="Status">
            <OutcomeBadge of={refusedAs(refusal)} />
          </Fact>
          <Fact name="Endpoint">
            {refusal.endpoint === null ? (
              'No endpoint has the path'
            ) : (
              <Code>{refusal.endpoint}</Code>
            )}
          </Fact>
          <Fact name="Model">
            {refusal.model === null ? 'Not read' : <Code>{refusal.model}</Code>}
          </Fact>
          {refusal.param !== null && (
            <Fact name="Parameter">
              <Code>{refusal.param}</Code>
            </Fact>
          )}
          <Fact name="Key">
            <KeyName id={refusal.key_id} name={refusal.key_name ?? 'Unnamed'} />{' '}
            <Id id={refusal.key_id} what="the key ID" />
          </Fact>
          <Fact name="Region">{regionName(refusal.region)}</Fact>
        </Facts>
      </Panel>
    </div>
  );
}

/** The name of a key, which links to its page if it has one. */
function KeyName({ id, name }: Readonly<{ id: string; name: string }>) {
  const organization = useOrganization();
  if (!useHasPage(id)) return name;
  return (
    <Link
      to={PAGES.key.path}
      params={{ organization, key: id }}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
    >
      {name}
    </Link>
  );
}
