import { useState } from 'react';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../format/regions.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge } from '../../parts/shown.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';
import { Section } from './section.tsx';

/** The inference region, which an organization can choose once. */
export function RegionSection({ organization }: { organization: Organization }) {
  const [target, setTarget] = useState<Move | null>(null);
  const { region, moves } = organization;
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
              {moves.length === 0 && (
                <p className="text-muted">This service has no other region.</p>
              )}
              <div className="flex flex-wrap gap-2">
                {moves.map((move) => (
                  <Button key={move.region} onClick={() => setTarget(move)}>
                    Move to {REGION_NAMES[move.region]}
                  </Button>
                ))}
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
