/** One organization, as operators see and change it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { organizationQuery } from '../../../api/organization.ts';
import { Button } from '../../../parts/button.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { CreditPanel } from './credit-panel.tsx';
import { InvoicesPanel } from './invoices-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { OrganizationFacts } from './organization-facts.tsx';
import { PaymentsPanel } from './payments-panel.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { SetStatus } from './set-status.tsx';
import { TermsPanel } from './terms-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';

export default function OrganizationPage() {
  const { organization: id = '' } = useParams({ strict: false });
  const query = useQuery(organizationQuery(id));
  const organization = query.data;
  return (
    <Page
      title={organization?.name ?? 'Organization'}
      actions={
        organization && (
          <>
            {organization.deleted === null && <SetStatus organization={organization} />}
            <Button asChild>
              <Link to="/$organization" params={{ organization: id }}>
                <ExternalLink /> Open as customer
              </Link>
            </Button>
          </>
        )
      }
    >
      {organization === undefined ? (
        <Panel flush>
          <Loaded query={query}>{() => null}</Loaded>
        </Panel>
      ) : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <OrganizationFacts organization={organization} />
            <CreditPanel organization={organization} />
          </div>
          <UsagePanel organization={id} />
          <TermsPanel organization={organization} />
          <RatesPanel organization={id} />
          <PaymentsPanel organization={id} />
          <InvoicesPanel organization={id} />
          <MembersPanel organization={id} />
        </>
      )}
    </Page>
  );
}
