/** One organization, as operators see and change it, in several views. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { organizationQuery } from '../../../api/organization.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { isUnknown, UnknownItem } from '../../../parts/unknown-item.tsx';
import { ViewLinks } from '../../../parts/view-links.tsx';
import type { OrganizationSearch, OrganizationView } from '../../../operator-search.ts';
import { OrganizationShown } from '../../../session.tsx';
import { InvitationsPanel } from '../../members/invitations-panel.tsx';
import { Activity } from '../../billing/activity.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { CreditPanel } from './credit-panel.tsx';
import { AllowedNotice, CustomersOwn } from './customers-own.tsx';
import { InvoicesPanel } from './invoices-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { NextSteps } from './next-steps.tsx';
import { OrganizationFacts } from './organization-facts.tsx';
import { OrganizationFigures } from './organization-figures.tsx';
import { VIEWS } from './organization-views.ts';
import { Standing } from './organizations-table.tsx';
import { PaymentsPanel } from './payments-panel.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { SetStatus } from './set-status.tsx';
import { StandingNotices } from './standing-notices.tsx';
import { SuspensionNotice } from './suspension-notice.tsx';
import { TermsPanel } from './terms-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';

export default function OrganizationPage() {
  const { organization: id = '' } = useParams({ strict: false });
  const { view = 'overview' }: OrganizationSearch = useSearch({ strict: false });
  const query = useQuery(organizationQuery(id));
  const organization = query.data;
  if (isUnknown(query.error)) return <UnknownItem kind="organizations" />;
  return (
    <Page
      title={organization?.name ?? 'Organization'}
      description={organization && <Subject organization={organization} />}
      back={<BackLink to="/operator/organizations">Organizations</BackLink>}
      actions={
        organization && (
          <>
            {organization.deleted === null && <SetStatus organization={organization} />}
            <Button asChild>
              <Link to="/$organization" params={{ organization: id }}>
                <UserRound /> Open as customer
              </Link>
            </Button>
          </>
        )
      }
    >
      {organization && <SuspensionNotice organization={organization} />}
      <ViewLinks label="Organization" views={VIEWS} shown={view} />
      {organization === undefined ? (
        <Panel flush>
          <Loaded query={query}>{() => null}</Loaded>
        </Panel>
      ) : (
        // The key discards what was typed and opened for another organization.
        <OrganizationShown key={id} id={id}>
          <View view={view} organization={organization} />
        </OrganizationShown>
      )}
    </Page>
  );
}

/** The standing of the organization, below its name on each of its views. */
function Subject({ organization }: { organization: Organization }) {
  const { billing, region } = organization;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5">
      <Standing organization={organization} />
      {`${billing.type === 'prepaid' ? 'Prepaid' : 'Invoiced monthly'} · ${REGION_NAMES[region]}`}
    </span>
  );
}

type ViewProps = Readonly<{ view: OrganizationView; organization: Organization }>;

function View({ view, organization }: ViewProps) {
  const { id } = organization;
  switch (view) {
    case 'overview':
      return (
        <>
          <StandingNotices organization={organization} />
          <AllowedNotice organization={organization} />
          <NextSteps organization={organization} />
          <OrganizationFigures organization={id} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <OrganizationFacts organization={organization} />
            <CreditPanel organization={organization} />
          </div>
          <UsagePanel organization={id} />
        </>
      );
    case 'money':
      return (
        <>
          <CreditPanel organization={organization} wide />
          <PaymentsPanel organization={organization} />
          <InvoicesPanel organization={organization} />
          <Activity />
        </>
      );
    case 'access':
      return (
        <>
          <CustomersOwn organization={organization} />
          <KeysPanel organization={id} />
          <MembersPanel organization={organization} />
          <InvitationsPanel />
        </>
      );
    case 'terms':
      return (
        <>
          <TermsPanel organization={organization} />
          <RatesPanel organization={id} />
        </>
      );
    case 'audit':
      return <ChangesPanel organization={id} />;
  }
}
