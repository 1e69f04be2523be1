/** The delivery of a webhook that a job is an attempt of. */
import { Link } from '@tanstack/react-router';
import type { JobDelivery as Delivery } from '../../../../../shared/api/jobs.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { Code, StateBadge, When } from '../../../parts/shown.tsx';
import { DELIVERY_STATES } from '../../webhooks/words.ts';

export function JobDelivery({ delivery }: { delivery: Delivery }) {
  const { organization, webhook, host, type, event, state, attempts } = delivery;
  return (
    <Panel
      title="Delivery"
      description="The event that this job sends, and how far its delivery is."
      actions={
        host !== null && (
          <Button size="small" asChild>
            <Link to="/$organization/webhooks/$webhook" params={{ organization, webhook }}>
              Open endpoint
            </Link>
          </Button>
        )
      }
    >
      <Facts>
        <Fact name="Event">
          <Code>{type}</Code>
        </Fact>
        <Fact name="Endpoint">{host ?? 'Deleted'}</Fact>
        <Fact name="Status">
          <StateBadge of={DELIVERY_STATES[state]} />
        </Fact>
        <Fact name="Attempts">{attempts}</Fact>
        {delivery.next_attempt !== null && (
          <Fact name="Next attempt">
            <When at={delivery.next_attempt} precision="seconds" />
          </Fact>
        )}
        <Fact name="Created">
          <When at={delivery.created} precision="seconds" />
        </Fact>
        <Fact name="Event ID">
          <Id id={event} what="the event ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}
