import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PasswordChange } from '../../../../shared/api/people.ts';
import { sessionsQuery } from '../../api/account.ts';
import { type Sent, send } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { PasswordField } from '../../parts/form/password-field.tsx';
import { say } from '../../parts/said.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { Setting } from './setting.tsx';

export function PasswordSetting() {
  const [open, setOpen] = useState(false);
  return (
    <Setting
      name="Password"
      action={
        <Button size="small" onClick={() => setOpen(true)}>
          Change password
        </Button>
      }
    >
      Changing your password ends your other sessions.
      {open && <PasswordDialog onClose={() => setOpen(false)} />}
    </Setting>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Sent<typeof PasswordChange>) => send('POST', '/me/password', body),
    onSuccess: () => {
      say('Password changed');
      onClose();
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <ProofDialog
      title="Change password"
      description="You stay signed in here. Your other sessions end."
      action="Change password"
      fields={['password']}
      password={{ name: 'current', label: 'Current password' }}
      mutation={change}
      after={<PasswordField label="New password" chosen />}
      onSend={(text) => change.mutate({ current: text('current'), password: text('password') })}
      onClose={onClose}
    />
  );
}
