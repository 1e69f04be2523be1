/** One endpoint: its settings, and its deliveries. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { KeyRound, Pencil, Power, PowerOff, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../shared/api/webhooks.ts';
import { ApiError } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { changeWebhook, sendTest, webhookQuery } from '../../api/webhooks.ts';
import { hostOf } from '../../format/host.ts';
import { PAGES } from '../../pages.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Copied } from '../../parts/copy.tsx';
import { Button } from '../../parts/form/button.tsx';
import { ActionsMenu, MenuItem, MenuLine } from '../../parts/menu.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts, Page, Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Code, StateBadge, When } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeleteWebhookDialog, EditWebhookDialog, RotateSecretDialog } from './webhook-dialogs.tsx';
import { WEBHOOK_STATES } from './words.ts';

export default function WebhookPage() {
  const organization = useOrganization();
  const { webhook: id } = useParams({
    from: '/signed-in/organization/$organization/webhooks/$webhook',
  });
  const may = useMay('billing');
  const query = useQuery(webhookQuery(organization, id));
  const isUnknown = query.error instanceof ApiError && [400, 404].includes(query.error.status);
  return (
    <Page
      title={query.data ? hostOf(query.data.url) : PAGES.webhook.title}
      description={
        query.data && (
          <Copied text={query.data.url} what="the URL">
            <Code>{query.data.url}</Code>
          </Copied>
        )
      }
      back={
        <BackLink to={PAGES.webhooks.path} params={{ organization }}>
          Webhooks
        </BackLink>
      }
      actions={may && query.data && <Actions webhook={query.data} />}
    >
      <RoleNote permission="billing">You cannot change endpoints.</RoleNote>
      {isUnknown ? (
        <Panel>
          <Empty title="No such endpoint">It may have been deleted.</Empty>
        </Panel>
      ) : (
        <Loaded query={query}>
          {(webhook) => (
            <>
              <Standing webhook={webhook} />
              <Settings webhook={webhook} />
              <Deliveries webhook={webhook} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function useChangeActive({ id }: Webhook) {
  const organization = useOrganization();
  return useMutation({
    mutationFn: (active: boolean) => changeWebhook(organization, id, { active }),
    meta: { refetch: [ofOrganization(organization, 'webhooks')] },
    onError: (error) => say(error.message),
  });
}

function Actions({ webhook }: { webhook: Webhook }) {
  const organization = useOrganization();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const change = useChangeActive(webhook);
  const test = useMutation({
    mutationFn: () => sendTest(organization, webhook.id),
    meta: { refetch: [ofOrganization(organization, 'webhooks', webhook.id, 'deliveries')] },
    onError: (error) => say(error.message),
  });
  const isActive = webhook.state === 'active';
  return (
    <>
      <Button
        look={isActive ? 'primary' : 'secondary'}
        busy={test.isPending}
        disabled={!isActive}
        onClick={() => test.mutate()}
      >
        <Send /> Send test event
      </Button>
      <ActionsMenu of="this endpoint">
        <MenuItem onSelect={() => setDialog('edit')}>
          <Pencil /> Edit
        </MenuItem>
        <MenuItem onSelect={() => setDialog('rotate')}>
          <KeyRound /> Replace secret
        </MenuItem>
        <MenuItem onSelect={() => change.mutate(!isActive)}>
          {isActive ? <PowerOff /> : <Power />} {isActive ? 'Turn off' : 'Turn on'}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setDialog('delete')}>
          <Trash2 /> Delete
        </MenuItem>
      </ActionsMenu>
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </>
  );
}

/** Says why an endpoint gets nothing, or soon will not. */
function Standing({ webhook }: { webhook: Webhook }) {
  const { state, failing_since: since } = webhook;
  const change = useChangeActive(webhook);
  const turnOn = useMay('billing') && (
    <Button size="small" busy={change.isPending} onClick={() => change.mutate(true)}>
      Turn on
    </Button>
  );
  if (state === 'disabled') {
    return (
      <Notice tone="bad" title="This endpoint was turned off" action={turnOn}>
        Nothing could be delivered for three days. Turn it on when your server is back. You can then
        send failed deliveries again.
      </Notice>
    );
  }
  if (state === 'off') {
    return (
      <Notice title="This endpoint is off" action={turnOn}>
        It gets no events.
      </Notice>
    );
  }
  if (since === null) return null;
  return (
    <Notice tone="warn" title="Deliveries fail">
      Nothing could be delivered since <When at={since} />. After three days the endpoint is turned
      off.
    </Notice>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const { events, state, created, created_by: by, former_secret_until: until } = webhook;
  return (
    <Panel>
      <Facts>
        <Fact name="Status">
          <StateBadge of={WEBHOOK_STATES[state]} />
        </Fact>
        <Fact name="Events">
          <span className="flex flex-wrap gap-1">
            {events.map((type) => (
              <Code key={type}>{type}</Code>
            ))}
          </span>
        </Fact>
        {until !== null && (
          <Fact name="Secret">
            Replaced. The old secret also signs until <When at={until} />.
          </Fact>
        )}
        <Fact name="Created">
          <When at={created} />
          {by && ` by ${by.name ?? 'a deleted user'}`}
        </Fact>
      </Facts>
    </Panel>
  );
}
