/** The dialogs of an endpoint: to change it, to replace its secret, and to delete it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook, WebhookEventType } from '../../../../shared/api/webhooks.ts';
import { ofOrganization } from '../../api/organization.ts';
import { changeWebhook, deleteWebhook, rotateSecret } from '../../api/webhooks.ts';
import { PAGES } from '../../pages.ts';
import { Confirm, Dialog } from '../../parts/form/dialog.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { useOrganization } from '../../session.tsx';
import { SecretShown } from './secret-shown.tsx';
import { FIELDS, type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

type DialogProps = Readonly<{ webhook: Webhook; onClose: () => void }>;

export function EditWebhookDialog({ webhook, onClose }: DialogProps) {
  const organization = useOrganization();
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook.url,
    events: webhook.events as readonly WebhookEventType[],
  });
  const change = useMutation({
    mutationFn: () =>
      changeWebhook(organization, webhook.id, { ...draft, events: [...draft.events] }),
    meta: { refetch: [ofOrganization(organization, 'webhooks')] },
    onSuccess: () => {
      say('Endpoint saved');
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit endpoint"
      action="Save changes"
      disabled={draft.url.trim() === '' || draft.events.length === 0}
      mutation={change}
      fields={FIELDS}
      onSend={() => change.mutate()}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}

export function RotateSecretDialog({ webhook, onClose }: DialogProps) {
  const organization = useOrganization();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: () => rotateSecret(organization, webhook.id),
    meta: { refetch: [ofOrganization(organization, 'webhooks')] },
    onSuccess: (rotated) => setSecret(rotated.secret),
  });
  if (secret !== null) {
    return (
      <Dialog
        onClose={onClose}
        secrets={[secret]}
        width="wide"
        title="New signing secret"
        description="Copy the secret now. You won't see it again."
      >
        <SecretShown secret={secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Confirm
      onClose={onClose}
      title="Replace the signing secret?"
      action="Replace secret"
      mutation={rotate}
    >
      <p>
        For 24 hours, events are signed with both the old and the new secret. Deploy the new secret
        in this time.
      </p>
    </Confirm>
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: DialogProps) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(organization, webhook.id),
    // The page of the endpoint is left first, so that it is not fetched again.
    onSuccess: async () => {
      say('Endpoint deleted');
      await navigate({ to: PAGES.webhooks.path, params: { organization } });
      await queries.invalidateQueries({ queryKey: ofOrganization(organization, 'webhooks') });
    },
  });
  return (
    <Confirm onClose={onClose} title="Delete endpoint?" action="Delete endpoint" mutation={remove}>
      <p>
        No more events are sent to {webhook.url}, and its deliveries are deleted. This cannot be
        undone.
      </p>
    </Confirm>
  );
}
