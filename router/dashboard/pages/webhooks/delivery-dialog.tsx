/** A dialog with one delivery: what is sent, and each attempt with the answer of the server. */
import { useQuery } from '@tanstack/react-query';
import type { Delivery, DeliveryAttempt, Webhook } from '../../../../shared/api/webhooks.ts';
import { deliveryQuery } from '../../api/webhooks.ts';
import { shownCount } from '../../format/count.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Badge, Code, StateBadge, When } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { SendAgain } from './send-again.tsx';
import { attemptOutcome, DELIVERY_STATES } from './words.ts';

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
        <Fact name="State">
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
        <CodeBlock code={indented(delivery.body)} what="body" language="json" />
      </section>
    </Dialog>
  );
}

function Attempts({ log }: { log: readonly DeliveryAttempt[] }) {
  if (log.length === 0) return <p className="text-sm text-muted">Not sent yet.</p>;
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="Attempts">
      {log.map((attempt, index) => (
        // An attempt has no id, and the list grows at its start.
        <Attempt key={log.length - index} attempt={attempt} />
      ))}
    </ol>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { ended, duration_ms: duration, status, fault, answer } = attempt;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={fault === null ? 'good' : 'bad'}>
          {fault === null ? 'Delivered' : 'Failed'}
        </Badge>
        <span>{attemptOutcome(attempt)}</span>
        <span className="text-muted">
          <When at={ended} precision="seconds" />
          {duration !== null && ` · ${shownCount(duration)} ms`}
        </span>
      </div>
      {status !== null && <Answer text={answer} />}
    </li>
  );
}

/** The text is of a stranger, so it is shown as it is. */
function Answer({ text }: { text: string | null }) {
  if (text === null) return <p className="text-xs text-muted">The response is no longer kept.</p>;
  if (text === '') return <p className="text-xs text-muted">The response had no body.</p>;
  return (
    <pre
      tabIndex={0}
      aria-label="Response body"
      className="max-h-40 overflow-auto rounded-lg border bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </pre>
  );
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
