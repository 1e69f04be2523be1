import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, send } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { useLeave } from '../../shell/leave.ts';
import { Section } from '../../parts/section.tsx';
import { BlockingOrganizations } from './blocking-organizations.tsx';
import { ProofDialog } from './proof-dialog.tsx';

export function DeletePanel() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Delete" description="Permanently delete your account.">
      <Panel className="border-bad/40">
        <div className="grid justify-items-start gap-4 text-sm">
          <p className="text-muted">
            This erases your name and email and removes you from your organizations. Organizations
            where you are the only member are deleted with their keys and credit. If you are the
            last administrator of an organization with other members, make another member an
            administrator first. This cannot be undone.
          </p>
          <Button look="danger" onClick={() => setOpen(true)}>
            Delete account
          </Button>
        </div>
      </Panel>
      {open && <DeleteDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const leave = useLeave();
  const remove = useMutation({
    mutationFn: (password: string) => send('DELETE', '/me', { password }),
    onSuccess: async () => {
      await leave();
      say('Account deleted');
    },
  });
  const blocking = remove.error instanceof ApiError ? remove.error.organizations : [];
  const isBlocked = blocking.length > 0;
  return (
    <ProofDialog
      title="Delete your account"
      description="Organizations where you are the only member are deleted too. Their keys stop working immediately, and their remaining credit is lost. Before you continue, pay what they owe or ask for a refund of their credit. This cannot be undone."
      action="Delete account"
      danger
      mutation={{ isPending: remove.isPending, error: isBlocked ? null : remove.error }}
      after={<BlockingOrganizations organizations={blocking} />}
      onSend={(text) => remove.mutate(text('password'))}
      onClose={onClose}
    />
  );
}
