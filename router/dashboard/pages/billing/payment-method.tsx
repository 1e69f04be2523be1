/**
 * The card for auto-recharge. People save and replace it on the provider's page, and remove it
 * here.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Recharge } from '../../../../shared/api/payments.ts';
import { send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { Confirm } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { useOrganization } from '../../session.tsx';
import { beginCard, openPortal, useLeave } from './use-checkout.ts';

type PaymentMethodProps = Readonly<{ method: Recharge['method']; hasPortal: boolean }>;

export function PaymentMethod({ method, hasPortal }: PaymentMethodProps) {
  const organization = useOrganization();
  const save = useLeave(() => beginCard(organization));
  const manage = useLeave(() => openPortal(organization));
  const [isRemoving, setRemoving] = useState(false);
  if (method === null) {
    return (
      <div className="grid justify-items-start gap-3">
        <Fault error={save.error} />
        <Button busy={save.busy} onClick={() => save.leave()}>
          Save a card
        </Button>
      </div>
    );
  }
  return (
    <div className="grid gap-3 border-t pt-4">
      <Fault error={save.error ?? manage.error} />
      <div className="flex flex-wrap gap-2">
        <Button busy={save.busy} onClick={() => save.leave()}>
          Replace card
        </Button>
        {hasPortal && (
          <Button busy={manage.busy} onClick={() => manage.leave()}>
            Manage at the payment provider
          </Button>
        )}
        <Button look="danger" onClick={() => setRemoving(true)}>
          Remove card
        </Button>
      </div>
      {isRemoving && <Removal label={method.label} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function Removal({ label, onClose }: { label: string; onClose: () => void }) {
  const organization = useOrganization();
  const remove = useMutation({
    mutationFn: () => send<Recharge>('DELETE', `/organizations/${organization}/payment-method`),
    meta: { refetch: [ofOrganization(organization, 'credit')] },
    onSuccess: onClose,
  });
  return (
    <Confirm onClose={onClose} title={`Remove ${label}?`} action="Remove card" mutation={remove}>
      This also turns off auto-recharge. It does not stop a payment that is in progress.
    </Confirm>
  );
}
