/** The delivery of a webhook that a job is an attempt of, with its other attempts. */
import { Link } from '@tanstack/react-router';
import type { JobDelivery as Delivery } from '../../../../../shared/api/jobs.ts';
import { Button } from '../../../parts/button.tsx';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { Badge, Code, StateBadge, When } from '../../../parts/shown.tsx';
import { Table, Td, TimeCell } from '../../../parts/table.tsx';
import { attemptOutcome, DELIVERY_STATES } from '../../webhooks/words.ts';

export function JobDelivery({ delivery }: { delivery: Delivery }) {
  const { organization, webhook, host, type, event, state, attempts, attempt_log: log } = delivery;
  return (
    <Panel
      title="Delivery"
      description="The event that this attempt sends, and what all attempts to deliver it came to."
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
      <div className="grid gap-4">
        <Facts>
          <Fact name="Event">
            <Code>{type}</Code>
          </Fact>
          <Fact name="Endpoint">{host ?? 'Deleted'}</Fact>
          <Fact name="State">
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
        {log.length > 0 && (
          <Table label="Attempts of the delivery" columns={['Ended', 'Result', 'Response']}>
            {log.map((attempt) => (
              <tr key={attempt.at}>
                <TimeCell at={attempt.at} precision="seconds" />
                <Td>
                  {attempt.fault === null ? (
                    <Badge tone="good">Delivered</Badge>
                  ) : (
                    <Badge tone="bad">Failed</Badge>
                  )}
                </Td>
                <Td>{attemptOutcome(attempt)}</Td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </Panel>
  );
}
