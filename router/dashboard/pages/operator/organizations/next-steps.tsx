/** What an operator does for an organization that has no administrator yet. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { creditQuery } from '../../../api/organization.ts';
import { wordedUsd } from '../../../format/usd.ts';
import type { OrganizationView } from '../../../operator-search.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { cx } from '../../../parts/class-names.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Panel } from '../../../parts/page.tsx';
import { type AdministratorState, useAdministrator } from '../../members/use-administrator.ts';
import { InviteAdministrator } from './invite-administrator.tsx';

export function NextSteps({ organization }: { organization: Organization }) {
  const { id, members, deleted } = organization;
  const { administrator, isLoading } = useAdministrator(id);
  const isNeeded = administrator === undefined ? members === 0 : administrator !== 'joined';
  if (!isNeeded || deleted !== null) return null;
  return (
    <ForAdministrators>
      <Steps organization={organization} administrator={administrator} isLoading={isLoading} />
    </ForAdministrators>
  );
}

type StepsProps = Readonly<{
  organization: Organization;
  administrator: AdministratorState | undefined;
  isLoading: boolean;
}>;

function Steps({ organization, administrator, isLoading }: StepsProps) {
  const { id, name, billing, members } = organization;
  const credit = useQuery(creditQuery(id)).data;
  const isInvited = administrator === 'invited';
  return (
    <Panel title="Next steps" flush>
      <ul className="divide-y">
        <Step
          name="Members"
          action={
            <InviteAdministrator
              name={name}
              invited={
                isInvited && (
                  <ViewLink organization={id} view="access">
                    Show invitations
                  </ViewLink>
                )
              }
            />
          }
          isWaiting={isLoading}
        >
          {isInvited
            ? 'An administrator is invited, and has not accepted yet.'
            : members === 0
              ? 'The organization has no members. Invite an administrator, who can invite the others.'
              : 'No member is an administrator. Invite one, who can invite the others.'}
        </Step>
        <Step
          name="Credit"
          action={
            <ViewLink organization={id} view="money">
              Adjust credit
            </ViewLink>
          }
        >
          {credit && `It has ${wordedUsd(credit.balance)}. `}
          Adjust the credit to grant more.
        </Step>
        <Step
          name="Terms"
          action={
            <ViewLink organization={id} view="terms">
              Change terms
            </ViewLink>
          }
        >
          {billing.type === 'prepaid' ? 'It prepays.' : 'It is invoiced.'} Change its billing, its
          limits or its rates.
        </Step>
      </ul>
    </Panel>
  );
}

type StepProps = Readonly<{
  name: string;
  action: ReactNode;
  /** Its text and action are not known yet: only their place is seen. */
  isWaiting?: boolean;
  children: ReactNode;
}>;

function Step({ name, action, isWaiting = false, children }: StepProps) {
  const seen = cx(isWaiting && 'invisible');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0 flex-[1_1_16rem]">
        <p className="font-medium">{name}</p>
        <p className={cx('text-muted', seen)}>{children}</p>
      </div>
      <div className={seen}>{action}</div>
    </li>
  );
}

type ViewLinkProps = Readonly<{
  organization: string;
  view: OrganizationView;
  children: ReactNode;
}>;

/** Leads to another view of the organization's page. */
function ViewLink({ organization, view, children }: ViewLinkProps) {
  return (
    <Button size="small" asChild>
      <Link to={PAGES.anOrganization.path} params={{ organization }} search={{ view }}>
        {children}
      </Link>
    </Button>
  );
}
