/** A dialog with one delivery: what is sent, and each attempt with the answer of the server. */
import { useQuery } from '@tanstack/react-query';
import type { Delivery, Webhook } from '../../../../shared/api/webhooks.ts';
import { deliveryQuery } from '../../api/webhooks.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Code, StateBadge, When } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { Attempts } from './attempts.tsx';
import { SendAgain } from './send-again.tsx';
import { DELIVERY_STATES } from './words.ts';

type DeliveryDialogProps = Readonly<{
  webhook: Webhook;
  delivery: Delivery;
  onClose: () => void;
}>;

export function DeliveryDialog({ webhook, delivery, onClose }: DeliveryDialogProps) {
  const query = useQuery(deliveryQuery(useOrganization(), webhook.id, delivery.id));
  const { state, next_attempt: next } = query.data ?? delivery;
  return (
    <Dialog onClose={onClose} title={delivery.type} width="wide">
      <Facts>
        <Fact name="Event ID">
          <Code>{delivery.event}</Code>
        </Fact>
        <Fact name="Status">
          <StateBadge of={DELIVERY_STATES[state]} />
        </Fact>
        <Fact name="Created">
          <When at={delivery.created} precision="seconds" />
        </Fact>
        {next !== null && (
          <Fact name="Next attempt">
            <When at={next} precision="seconds" />
          </Fact>
        )}
      </Facts>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t pt-4">
        <header className="flex items-center justify-between gap-2">
          <h3 className="text-sm font-semibold">Attempts</h3>
          <SendAgain webhook={webhook} delivery={delivery} />
        </header>
        <Loaded query={query}>{({ attempt_log: log }) => <Attempts log={log} />}</Loaded>
      </section>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t pt-4">
        <h3 className="text-sm font-semibold">Request body</h3>
        <CodeBlock code={indented(delivery.body)} what="body" title={null} language="json" />
      </section>
    </Dialog>
  );
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
