import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ofOrganization } from '../../api/organization.ts';
import { createWebhook, type WebhookWithSecret } from '../../api/webhooks.ts';
import { Button } from '../../parts/form/button.tsx';
import { Cancel, Dialog, DialogFooter } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useOrganization } from '../../session.tsx';
import { SecretShown } from './secret-shown.tsx';
import { TestDelivery } from './test-delivery.tsx';
import { FIELDS, type WebhookDraft, WebhookFields } from './webhook-fields.tsx';
import { EVENT_TYPES } from './words.ts';

export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  return (
    <Dialog
      onClose={onClose}
      secrets={created && [created.secret]}
      width={created === null ? 'usual' : 'wide'}
      title={created ? 'Endpoint created' : 'Create endpoint'}
      {...(created ? { description: "Copy the secret now. You won't see it again." } : {})}
    >
      {created ? (
        <SecretShown
          secret={created.secret}
          next={<TestDelivery webhook={created.id} />}
          onDone={onClose}
        />
      ) : (
        <CreateForm onCreated={setCreated} />
      )}
    </Dialog>
  );
}

function CreateForm({ onCreated }: { onCreated: (created: WebhookWithSecret) => void }) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', events: EVENT_TYPES });
  const create = useMutation({
    mutationFn: () => createWebhook(organization, { ...draft, events: [...draft.events] }),
    onSuccess: (created) => {
      onCreated(created);
      return queries.invalidateQueries({ queryKey: ofOrganization(organization, 'webhooks') });
    },
  });
  const isIncomplete = draft.url.trim() === '' || draft.events.length === 0;
  return (
    <Form error={create.error} onSend={() => create.mutate()}>
      <WebhookFields draft={draft} onChange={setDraft} />
      <Fault error={create.error} fields={FIELDS} />
      <DialogFooter>
        <Cancel />
        <Button look="primary" type="submit" busy={create.isPending} disabled={isIncomplete}>
          Create endpoint
        </Button>
      </DialogFooter>
    </Form>
  );
}
