/** What was sent to an endpoint, and what came of it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Delivery, Webhook } from '../../../../shared/api/webhooks.ts';
import { TEST_EVENT } from '../../../../shared/webhook-events.ts';
import { deliveriesQuery } from '../../api/webhooks.ts';
import { FilterBar } from '../../parts/list/filter-bar.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { StateBadge, When } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { ACTIONS, foremost, numeric, Table, Td, TimeCell } from '../../parts/list/table.tsx';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { type WebhookSearch, webhookSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { SendAgain } from './send-again.tsx';
import { DELIVERY_STATES, EVENT_TYPES, outcomeOf } from './words.ts';

const STATES = Object.entries(DELIVERY_STATES).map(([value, { name }]) => ({ value, name }));
const TYPES = [...EVENT_TYPES, TEST_EVENT].map((value) => ({ value, name: value }));

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { state, type }: WebhookSearch = useSearch({ strict: false });
  const query = useInfiniteQuery(deliveriesQuery(useOrganization(), webhook.id, { state, type }));
  const narrow = useSearchChange(webhookSearch);
  const isNarrowed = state !== undefined || type !== undefined;
  return (
    <Panel
      title="Deliveries"
      description="Last 30 days, up to the latest 300. A failed attempt is repeated for about a day."
      flush
    >
      <div className="px-5 pb-4">
        <FilterBar
          filters={[
            { filter: 'state', name: 'Status', options: { choices: STATES } },
            { filter: 'type', name: 'Event', options: { choices: TYPES } },
          ]}
          values={{
            state: state === undefined ? [] : [state],
            type: type === undefined ? [] : [type],
          }}
          onChange={(filter, [value]) => narrow({ [filter]: value })}
          onClear={() => narrow({ state: undefined, type: undefined })}
        />
      </div>
      <LoadedList
        list={query}
        empty={
          isNarrowed ? (
            <Empty icon={<Send />} title="No deliveries match these filters">
              Remove a filter to see more.
            </Empty>
          ) : (
            <Empty icon={<Send />} title="Nothing was sent yet">
              Send a test event to check your server.
            </Empty>
          )
        }
      >
        {(deliveries) => (
          <Table
            label="Deliveries"
            columns={[
              'Event',
              foremost('Status'),
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
        {/* A card on a phone has no room for it beside the button. The details have it. */}
        <span className="block truncate font-mono text-xs text-muted max-md:hidden">{event}</span>
        {isOpen && (
          <DeliveryDialog webhook={webhook} delivery={delivery} onClose={() => setOpen(false)} />
        )}
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
