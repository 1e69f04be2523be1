/** The servers of the organization to which its events are sent. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../shared/api/webhooks.ts';
import { LIST_AGAIN_MS, latestDeliveryQuery, webhooksQuery } from '../../api/webhooks.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge, Code, StateBadge, When } from '../../parts/shown.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { foremost, Table, Td, TimeCell } from '../../parts/list/table.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { DELIVERY_STATES, outcomeOf, WEBHOOK_STATES } from './words.ts';

export default function WebhooksPage() {
  const query = useQuery({
    ...webhooksQuery(useOrganization()),
    refetchInterval: LIST_AGAIN_MS,
  });
  const [isCreating, setCreating] = useState(false);
  const may = useMay('billing');
  const create = may && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus /> Create endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      description="Get notified when the balance is low or exhausted, a budget is reached, a payment succeeds or fails, an invoice is issued, or a key is revoked."
      // The empty list has the button itself.
      actions={query.data?.data.length === 0 ? undefined : create}
    >
      <RoleNote permission="billing">You cannot create endpoints.</RoleNote>
      <Panel flush>
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                icon={<WebhookIcon />}
                title="No webhook endpoints yet"
                action={create || undefined}
              >
                Create an endpoint with the URL of your server. Each event is sent there as a signed
                request, and repeated until your server accepts it.
              </Empty>
            ) : (
              <WebhooksTable webhooks={data} />
            )
          }
        </Loaded>
      </Panel>
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function WebhooksTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <Table
      label="Webhook endpoints"
      columns={['URL', foremost('Status'), 'Last delivery', 'Events', 'Created']}
    >
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </Table>
  );
}

/** Its URL is a link to the endpoint's page, which a click anywhere else in the row opens, too. */
function WebhookRow({ webhook }: { webhook: Webhook }) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const { id, url, state, failing_since: since, events, created } = webhook;
  const to = { to: PAGES.webhook.path, params: { organization, webhook: id } } as const;
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(() => void navigate(to))}>
      <Td className="max-w-96 min-w-48">
        <Link {...to} className="block truncate font-medium hover:underline" title={url}>
          {url}
        </Link>
      </Td>
      <Td>
        <span className="flex flex-wrap gap-1">
          <StateBadge of={WEBHOOK_STATES[state]} />
          {state === 'active' && since !== null && <Badge tone="warn">Failing</Badge>}
        </span>
      </Td>
      <Td className="min-w-40">
        <LastDelivery webhook={webhook} />
      </Td>
      <Td>
        <span className="flex flex-wrap gap-1">
          {events.map((type) => (
            <Code key={type}>{type}</Code>
          ))}
        </span>
      </Td>
      <TimeCell at={created} />
    </tr>
  );
}

/** What came of the newest delivery to an endpoint. */
function LastDelivery({ webhook }: { webhook: Webhook }) {
  const { data, error } = useQuery(latestDeliveryQuery(useOrganization(), webhook));
  if (data === undefined) {
    if (error) return <span className="text-muted">Not loaded</span>;
    return <Skeleton className="h-4 w-28" />;
  }
  if (data === null) return <span className="text-muted">Nothing sent yet</span>;
  const { state, last_attempt: at } = data;
  return (
    <span className="grid justify-items-start gap-1">
      <StateBadge of={DELIVERY_STATES[state]} />
      <span className="text-xs text-muted">
        {outcomeOf(data)}
        {at !== null && (
          <>
            , <When at={at} relative />
          </>
        )}
      </span>
    </span>
  );
}
