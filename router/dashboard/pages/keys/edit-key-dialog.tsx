import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { changeKey } from '../../api/keys.ts';
import { ofOrganization } from '../../api/organization.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { Code } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { changesOf, draftFrom, draftOf, KEY_PARAMS, type KeyDraft } from './key-draft.ts';
import { LimitFields, NameField } from './key-fields.tsx';
import { ModelsField } from './models-field.tsx';

/** Mount this dialog only while it is open. */
export function EditKeyDialog({ row, onClose }: { row: Key; onClose: () => void }) {
  const organization = useOrganization();
  // The key as it was when the dialog opened. Only fields that differ from it are sent, so that
  // changes by others in the meantime are not undone.
  const [before] = useState(() => draftOf(row));
  const [models, setModels] = useState(before.models);
  const change = useMutation({
    mutationFn: (draft: KeyDraft) => changeKey(organization, row.id, changesOf(before, draft)),
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: () => {
      say('Key saved');
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit key"
      description={<Code>{row.label}</Code>}
      action="Save"
      mutation={change}
      fields={KEY_PARAMS}
      disabled={models?.length === 0}
      onSend={(text) => change.mutate(draftFrom(text, models))}
    >
      <NameField draft={before} />
      <ModelsField chosen={models} onChange={setModels} />
      <LimitFields draft={before} />
    </FormDialog>
  );
}
