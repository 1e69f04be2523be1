/** The settings of an organization, the limits that operators set for it, and its deletion. */
import { useQuery } from '@tanstack/react-query';
import { organizationQuery } from '../../api/organization.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { RoleNote, useOrganization } from '../../session.tsx';
import { DeleteSection } from './delete-section.tsx';
import { ExportSection } from './export-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { RegionSection } from './region-section.tsx';
import { TokensSection } from './tokens-section.tsx';

export default function SettingsPage() {
  const query = useQuery(organizationQuery(useOrganization()));
  return (
    <Page
      title="Settings"
      description="Name, limits, management tokens and data of the organization."
    >
      <Loaded query={query}>
        {(organization) => (
          <div key={organization.id} className="grid grid-cols-[minmax(0,1fr)] gap-8">
            <RoleNote permission="settings">You cannot change settings.</RoleNote>
            <GeneralSection organization={organization} />
            {(organization.region !== 'global' || organization.moves.length > 0) && (
              <RegionSection organization={organization} />
            )}
            <LimitsSection {...organization} />
            <TokensSection />
            <ExportSection />
            <DeleteSection organization={organization} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
