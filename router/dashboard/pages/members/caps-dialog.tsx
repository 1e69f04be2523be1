import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member, MemberCaps } from '../../../../shared/api/members.ts';
import { send, type Sent } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { enteredUsdOrNull } from '../../format/entered-usd.ts';
import { CapFields } from '../../parts/form/cap-fields.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { useOrganization } from '../../session.tsx';

const FIELDS = ['monthly_cap', 'daily_cap'] as const;

/** Mount this dialog only while it is open. */
export function CapsDialog({ member, onClose }: Readonly<{ member: Member; onClose: () => void }>) {
  const organization = useOrganization();
  // As they were when the dialog opened, so that changes by others in the meantime are not undone.
  const [before] = useState(member);
  const change = useMutation({
    mutationFn: (body: Sent<typeof MemberCaps>) =>
      send('PATCH', `/organizations/${organization}/members/${member.id}/caps`, body),
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: () => {
      say('Spending caps saved');
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Spending caps of ${member.name}`}
      description="Applies to all keys they created, playground included. What they have spent so far counts."
      action="Save"
      mutation={change}
      fields={FIELDS}
      onSend={(text) => change.mutate(changedCaps(before, text))}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <CapFields month={before.monthly_cap ?? ''} day={before.daily_cap ?? ''} />
      </div>
    </FormDialog>
  );
}

function changedCaps(before: Member, text: (name: string) => string): Sent<typeof MemberCaps> {
  const changed: { [Name in (typeof FIELDS)[number]]?: string | null } = {};
  for (const field of FIELDS) {
    const now = enteredUsdOrNull(text(field));
    if (now !== (before[field] ?? null)) changed[field] = now;
  }
  return changed;
}
