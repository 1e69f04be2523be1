import { useState } from 'react';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { ContactSupport } from '../../parts/contact-support.tsx';
import { Button } from '../../parts/form/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMay } from '../../session.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';
import { Section } from '../../parts/section.tsx';

/** The inference region, which an organization can choose once. */
export function RegionSection({ organization }: { organization: Organization }) {
  const [target, setTarget] = useState<Move | null>(null);
  const { region, moves } = organization;
  const may = useMay('settings');
  return (
    <Section title="Region" description="Where the requests of this organization are served.">
      <Panel>
        <div className="grid gap-4 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">Inference region</span>
            <Badge tone="accent">{REGION_NAMES[region]}</Badge>
          </p>
          {region === 'global' ? (
            <>
              <p className="text-muted">
                Hosts in any region with capacity serve requests. You can move the organization to
                one region, once. Prompts and responses then stay on hosts in that region, and its
                keys work at a different base URL.
              </p>
              <div className="flex flex-wrap gap-2">
                {moves.map((move) => (
                  <Button key={move.region} disabled={!may} onClick={() => setTarget(move)}>
                    Move to {REGION_NAMES[move.region]}
                  </Button>
                ))}
              </div>
            </>
          ) : (
            <p className="text-muted">
              Requests run only in the {REGION_NAMES[region]}. To move back to Global or to another
              region, <ContactSupport>contact support</ContactSupport>.
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
