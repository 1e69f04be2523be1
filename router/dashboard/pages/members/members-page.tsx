/** Who belongs to the organization, who is invited, and what their roles allow. */
import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../api/members.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { InvitationsPanel } from './invitations-panel.tsx';
import { InviteButton } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';
import { NoMembers } from './no-members.tsx';
import { RolesPanel } from './roles-panel.tsx';
import { useMonthSpend } from './use-spend.ts';

export default function MembersPage() {
  const query = useQuery(membersQuery(useOrganization()));
  const may = useMay('members');
  const spend = useMonthSpend();
  return (
    <Page
      title="Members"
      description="Who belongs to the organization, what their keys spend, and what each role can do."
      {...(may ? { actions: <InviteButton /> } : {})}
    >
      <RoleNote permission="members">You cannot invite, change or remove members.</RoleNote>
      <Panel flush className="overflow-hidden [&_thead]:border-t-0">
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? <NoMembers /> : <MembersTable members={data} spend={spend} />
          }
        </Loaded>
      </Panel>
      <InvitationsPanel />
      <RolesPanel />
    </Page>
  );
}
