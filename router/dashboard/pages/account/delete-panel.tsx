import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { useLeave } from '../../shell/leave.ts';
import { ProofDialog } from './proof-dialog.tsx';

export function DeletePanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Delete account">
      <div className="grid justify-items-start gap-3 text-sm">
        <p className="text-muted">
          Your name and address are erased and you leave your organizations. One in which you are
          alone is deleted with its keys and its credit; one that would be left without an org-admin
          has to be given another first. This cannot be undone.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      {open && <DeleteDialog onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const leave = useLeave();
  const { error, isPending, mutate } = useMutation({
    mutationFn: (password: string) => send('DELETE', '/me', { password }),
    onSuccess: async () => {
      await leave();
      say('Your account is deleted');
    },
  });
  return (
    <ProofDialog
      title="Delete your account for good"
      description="Organizations in which you are alone are deleted along, and must not owe anything: their keys stop at once, and credit that is left is lost. Ask for a refund before if there is any."
      action="Delete account"
      danger
      busy={isPending}
      error={error}
      onSend={(text) => mutate(text('password'))}
      onClose={onClose}
    />
  );
}
