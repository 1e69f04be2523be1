/** Chats with one model of the catalog, or up to four side by side, with settings for each. */
import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { modelsQuery, organizationQuery } from '../../api/organization.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useOrganization, useRole } from '../../session.tsx';
import { ChatSession } from './chat-session.tsx';

const TITLE = 'Playground';

export default function PlaygroundPage() {
  const organization = useOrganization();
  const models = useQuery(modelsQuery(organization));
  const itself = useQuery(organizationQuery(organization));
  const isMember = useRole() !== null;
  if (isMember && models.data && models.data.data.length > 0) {
    const baseUrl = itself.data?.base_url ?? '$PENSTOCK_BASE_URL';
    return (
      <ChatSession
        key={organization}
        title={TITLE}
        models={models.data.data}
        baseUrl={baseUrl}
        mayUseAccount={itself.data?.region === 'global'}
      />
    );
  }
  return (
    <Page title={TITLE}>
      <Panel flush>
        {isMember ? (
          <Loaded query={models}>
            {() => (
              <Empty icon={<MessagesSquare />} title="No models yet">
                Models appear here once the service offers them.
              </Empty>
            )}
          </Loaded>
        ) : (
          <Empty icon={<MessagesSquare />} title="You are not a member of this organization">
            Playground requests are billed to the organization and counted as a member's usage, so
            only members can use the playground.
          </Empty>
        )}
      </Panel>
    </Page>
  );
}
