import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { ofOrganization } from '../../api/organization.ts';
import { deliveryQuery, sendTest } from '../../api/webhooks.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { Attempts } from './attempts.tsx';
import { attemptOutcome, attemptState } from './words.ts';

/** Sends a test event to a new endpoint, and shows what came of it. */
export function TestDelivery({ webhook }: { webhook: string }) {
  const organization = useOrganization();
  const test = useMutation({
    mutationFn: () => sendTest(organization, webhook),
    // The list below the dialog shows the newest delivery.
    meta: { refetch: [ofOrganization(organization, 'webhooks', webhook, 'deliveries')] },
  });
  return (
    <section aria-label="Test event" className="grid gap-3 rounded-lg border p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>When your server has the secret, check that it gets an event.</p>
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          <Send /> Send test event
        </Button>
      </div>
      <Fault error={test.error} />
      <div role="status" className="sr-only">
        {test.data && <Outcome webhook={webhook} delivery={test.data.id} />}
      </div>
      {test.data && <Log webhook={webhook} delivery={test.data.id} />}
    </section>
  );
}

type OfDelivery = Readonly<{ webhook: string; delivery: string }>;

/** What a screen reader reads aloud. The log has bodies of responses, which may be long. */
function Outcome({ webhook, delivery }: OfDelivery) {
  const { data } = useQuery(deliveryQuery(useOrganization(), webhook, delivery));
  const latest = data?.attempt_log[0];
  return latest && `${attemptState(latest).name}: ${attemptOutcome(latest)}`;
}

function Log({ webhook, delivery }: OfDelivery) {
  const query = useQuery(deliveryQuery(useOrganization(), webhook, delivery));
  return <Loaded query={query}>{({ attempt_log: log }) => <Attempts log={log} />}</Loaded>;
}
