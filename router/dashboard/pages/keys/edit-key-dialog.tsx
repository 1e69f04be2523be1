import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { changeKey } from '../../api/keys.ts';
import { ofOrganization } from '../../api/organization.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { Code } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { changesOf, draftOf, KEY_PARAMS } from './key-draft.ts';
import { LimitFields, NameField } from './key-fields.tsx';

/** Mount this dialog only while it is open. */
export function EditKeyDialog({ row, onClose }: { row: Key; onClose: () => void }) {
  const organization = useOrganization();
  // The key as it was when the dialog opened. Only fields that differ from it are sent, so that
  // changes by others in the meantime are not undone.
  const [before] = useState(() => draftOf(row));
  const [draft, setDraft] = useState(before);
  const change = useMutation({
    mutationFn: () => changeKey(organization, row.id, changesOf(before, draft)),
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: () => {
      say('Key saved');
      onClose();
    },
  });
  const shared = { draft, onChange: setDraft };
  return (
    <FormDialog
      onClose={onClose}
      title="Edit key"
      description={<Code>{row.label}</Code>}
      action="Save"
      mutation={change}
      fields={KEY_PARAMS}
      onSend={() => change.mutate()}
    >
      <NameField {...shared} />
      <LimitFields {...shared} />
    </FormDialog>
  );
}
