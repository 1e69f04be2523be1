import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { type CreatedKey, createKey } from '../../api/keys.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Cancel, Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useOrganization } from '../../session.tsx';
import { draftFrom, KEY_PARAMS, type KeyDraft, NEW_DRAFT, newKeyOf } from './key-draft.ts';
import { LimitFields, NameField } from './key-fields.tsx';
import { ModelsField } from './models-field.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';

/** Mount this dialog only while it is open: unmounting discards the form and the key's secret. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedKey | null>(null);
  return (
    <Dialog
      onClose={onClose}
      secrets={made && [made.key]}
      width={made === null ? 'usual' : 'wide'}
      title={made === null ? 'Create API key' : 'Key created'}
      {...(made !== null && { description: `Copy "${made.name}" now. You won't see it again.` })}
    >
      {made === null ? <KeyForm onMade={setMade} /> : <Made made={made} onClose={onClose} />}
    </Dialog>
  );
}

function KeyForm({ onMade }: { onMade: (key: CreatedKey) => void }) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const [more, setMore] = useState(false);
  const [models, setModels] = useState(NEW_DRAFT.models);
  const create = useMutation({
    mutationFn: (draft: KeyDraft) => createKey(organization, newKeyOf(draft)),
    onSuccess: async (key) => {
      onMade(key);
      await queries.invalidateQueries({ queryKey: ofOrganization(organization, 'keys') });
    },
    onError: (error) => {
      const param = error instanceof ApiError ? error.param : null;
      if (param !== null && param !== 'name') setMore(true);
    },
  });
  return (
    <Form error={create.error} onSend={(text) => create.mutate(draftFrom(text, models))}>
      <NameField draft={NEW_DRAFT} />
      <details
        open={more}
        onToggle={({ currentTarget }) => setMore(currentTarget.open)}
        className="text-sm"
      >
        <summary className="w-max rounded text-muted hover:text-ink max-sm:py-3.5">
          More options
        </summary>
        <div className="grid gap-4 pt-4">
          <ModelsField chosen={models} onChange={setModels} />
          <LimitFields draft={NEW_DRAFT} />
        </div>
      </details>
      <Fault error={create.error} fields={KEY_PARAMS} />
      <DialogFooter>
        <Cancel />
        <Button
          type="submit"
          look="primary"
          busy={create.isPending}
          disabled={models?.length === 0}
        >
          Create key
        </Button>
      </DialogFooter>
    </Form>
  );
}

function Made({ made, onClose }: { made: CreatedKey; onClose: () => void }) {
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="API key"
            readOnly
            value={made.key}
            className="font-mono text-xs"
            onFocus={({ target }) => target.select()}
          />
        </div>
        <span className="grid h-8.5 items-center max-sm:h-11">
          <CopyButton text={made.key} what="the key" labelled />
        </span>
      </div>
      <SnippetTabs made={made} />
      <DialogFooter>
        <Done onClose={onClose} />
      </DialogFooter>
    </div>
  );
}
