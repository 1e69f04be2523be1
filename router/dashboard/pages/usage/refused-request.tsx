import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { Badge, Code } from '../../parts/shown.tsx';
import { CausePanel } from './cause-panel.tsx';
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
        events={[{ name: 'Refused', afterMs: null, note: `${status} ${code}`, isBad: true }]}
        note="The request was refused before it was admitted. No host got it, and nothing was charged."
      />
      <Panel title="Request">
        <Facts>
          <Fact name="Request ID">
            <Id id={refusal.request_id} what="the request ID" />
          </Fact>
          <Fact name="Status">
            <span className="flex flex-wrap items-center gap-2">
              {status}
              <Badge tone="bad">{code}</Badge>
            </span>
          </Fact>
          <Fact name="Endpoint">
            {refusal.endpoint === null ? (
              'No endpoint has the path'
            ) : (
              <Code>{refusal.endpoint}</Code>
            )}
          </Fact>
          <Fact name="Model">
            {refusal.model === null ? 'Not checked' : <Code>{refusal.model}</Code>}
          </Fact>
          {refusal.param !== null && (
            <Fact name="Parameter">
              <Code>{refusal.param}</Code>
            </Fact>
          )}
          <Fact name="Key">
            {refusal.key_name ?? 'Unnamed'} <Id id={refusal.key_id} what="the key ID" />
          </Fact>
          <Fact name="Region">{refusal.region}</Fact>
        </Facts>
      </Panel>
    </div>
  );
}
