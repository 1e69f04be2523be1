/** What was sent to an endpoint, and what came of it. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Delivery, Webhook } from '../../../../shared/api/webhooks.ts';
import { ofOrganization } from '../../api/organization.ts';
import { deliveriesQuery, sendAgain } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Code, StateBadge, When } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { ACTIONS, foremost, numeric, Table, Td, TimeCell } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';
import { DELIVERY_STATES, outcomeOf } from './words.ts';

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const query = useInfiniteQuery(deliveriesQuery(useOrganization(), webhook.id));
  return (
    <Panel
      title="Deliveries"
      description="The latest 300 of the last 30 days. A failed attempt is repeated for about a day."
      flush
    >
      <LoadedList
        list={query}
        empty={
          <Empty icon={<Send />} title="Nothing was sent yet">
            Send a test event to check your server.
          </Empty>
        }
      >
        {(deliveries) => (
          <Table
            label="Deliveries"
            columns={[
              'Event',
              foremost('State'),
              'Created',
              numeric('Attempts'),
              'Last response',
              ACTIONS,
            ]}
          >
            {deliveries.map((delivery) => (
              <Row key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}

function Row({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { type, event, state, created, attempts, next_attempt: next } = delivery;
  return (
    <tr>
      <Td className="min-w-44">
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="font-mono text-sm font-medium text-accent hover:underline"
        >
          {type}
        </button>
        <span className="block truncate font-mono text-xs text-muted">{event}</span>
        {isOpen && <DeliveryDialog delivery={delivery} onClose={() => setOpen(false)} />}
      </Td>
      <Td>
        <StateBadge of={DELIVERY_STATES[state]} />
      </Td>
      <TimeCell at={created} />
      <Td right>{attempts}</Td>
      <Td>
        {outcomeOf(delivery)}
        {state === 'waiting' && attempts > 0 && next !== null && (
          <span className="block text-xs text-muted">
            Next attempt <When at={next} />
          </span>
        )}
      </Td>
      <Td right>
        <SendAgain webhook={webhook} delivery={delivery} />
      </Td>
    </tr>
  );
}

function SendAgain({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const organization = useOrganization();
  const again = useMutation({
    mutationFn: () => sendAgain(organization, webhook.id, delivery.id),
    meta: { refetch: [ofOrganization(organization, 'webhooks', webhook.id, 'deliveries')] },
    onError: (error) => say(error.message),
  });
  return (
    <Button
      size="small"
      busy={again.isPending}
      disabled={webhook.state !== 'active'}
      onClick={() => again.mutate()}
    >
      Send again
    </Button>
  );
}

function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={delivery.type} wide>
      <Facts>
        <Fact name="Event ID">
          <Code>{delivery.event}</Code>
        </Fact>
        <Fact name="Created">
          <When at={delivery.created} />
        </Fact>
        <Fact name="Last attempt">
          <When at={delivery.last_attempt} />
        </Fact>
        <Fact name="Last response">{outcomeOf(delivery)}</Fact>
      </Facts>
      <CodeBlock code={indented(delivery.body)} what="body" />
    </Dialog>
  );
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
