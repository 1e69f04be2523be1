import { useMutation } from '@tanstack/react-query';
import type { Delivery, Webhook } from '../../../../shared/api/webhooks.ts';
import { ofOrganization } from '../../api/organization.ts';
import { sendAgain } from '../../api/webhooks.ts';
import { Button } from '../../parts/form/button.tsx';
import { say } from '../../parts/said.tsx';
import { useMay, useOrganization } from '../../session.tsx';

type SendAgainProps = Readonly<{ webhook: Webhook; delivery: Delivery }>;

/** The button that sends a delivery again. An endpoint that is off gets nothing. */
export function SendAgain({ webhook, delivery }: SendAgainProps) {
  const organization = useOrganization();
  const may = useMay('billing');
  const again = useMutation({
    mutationFn: () => sendAgain(organization, webhook.id, delivery.id),
    meta: { refetch: [ofOrganization(organization, 'webhooks', webhook.id, 'deliveries')] },
    onError: (error) => say(error.message),
  });
  return (
    <Button
      size="small"
      busy={again.isPending}
      disabled={!may || webhook.state !== 'active'}
      onClick={() => again.mutate()}
    >
      Send again
    </Button>
  );
}
