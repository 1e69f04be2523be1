import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../parts/form/button.tsx';
import { say } from '../../parts/said.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMe } from '../../session.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import { Setting } from './setting.tsx';

type Open = 'begin' | 'remove' | null;

export function SecondFactorSetting() {
  const { second_factor: isOn } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const onCodes = (given: readonly string[]) => {
    setCodes(given);
    close();
  };
  return (
    <Setting
      name="Two-factor authentication"
      badge={<Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
      action={
        isOn ? (
          <Button size="small" onClick={() => setOpen('remove')}>
            Turn off
          </Button>
        ) : (
          <Button size="small" onClick={() => setOpen('begin')}>
            Set up
          </Button>
        )
      }
    >
      {isOn
        ? 'You enter a code from your authenticator app when you sign in. If you lose your recovery codes, turn it off and set it up again: you get new ones.'
        : 'Require a code from an authenticator app when you sign in.'}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
      {open === 'begin' && <SecondFactorDialog onCodes={onCodes} onClose={close} />}
      {open === 'remove' && <RemoveDialog onClose={close} />}
    </Setting>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (password: string) => send('DELETE', '/me/totp', { password }),
    onSuccess: () => {
      onClose();
      say('Two-factor authentication turned off');
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <ProofDialog
      title="Turn off two-factor authentication"
      description="You will sign in with your password only. Your recovery codes will stop working."
      action="Turn off two-factor authentication"
      danger
      mutation={remove}
      onSend={(text) => remove.mutate(text('password'))}
      onClose={onClose}
    />
  );
}
