import { useState } from 'react';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge } from '../../parts/shown.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { REGION_NAMES, type RegionalName } from './regions.ts';
import { Section } from './section.tsx';

/** Where requests are computed: chosen once. */
export function RegionSection({ organization }: { organization: Organization }) {
  const [target, setTarget] = useState<RegionalName | null>(null);
  const { region } = organization;
  return (
    <Section
      title="Advanced"
      description="The inference region: where requests of this organization are computed."
    >
      <Panel>
        <div className="grid gap-4 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">Inference region</span>
            <Badge tone="accent">{REGION_NAMES[region]}</Badge>
          </p>
          {region === 'global' ? (
            <>
              <p className="text-muted">
                Requests are computed wherever there is room, in any region. You can bind the
                organization to one region, once: prompts and answers then stay with hosts of that
                region, and its keys are called at another base URL.
              </p>
              <div className="flex flex-wrap gap-2">
                <Button onClick={() => setTarget('us')}>Move to US</Button>
                <Button onClick={() => setTarget('eu')}>Move to EU</Button>
              </div>
            </>
          ) : (
            <p className="text-muted">
              Requests are computed by hosts of {REGION_NAMES[region]} alone. A move back to Global,
              or on to another region, is made by the operator of the service: ask them if you need
              one.
            </p>
          )}
        </div>
      </Panel>
      {target && (
        <MoveDialog organization={organization} to={target} onClose={() => setTarget(null)} />
      )}
    </Section>
  );
}
