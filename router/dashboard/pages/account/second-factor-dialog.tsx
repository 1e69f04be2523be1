/**
 * Sets up two-factor authentication: requires the password, then shows the secret and requires its
 * first code.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { RecoveryCodes, TotpSecret } from '../../../../shared/api/people.ts';
import { send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { TextField } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type SecondFactorDialogProps = Readonly<{
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}>;

export function SecondFactorDialog({ onCodes, onClose }: SecondFactorDialogProps) {
  const begin = useMutation({
    mutationFn: (password: string) =>
      send<z.infer<typeof TotpSecret>>('POST', '/me/totp', { password }),
  });
  if (begin.data) return <ConfirmDialog secret={begin.data} onCodes={onCodes} onClose={onClose} />;
  return (
    <ProofDialog
      title="Set up two-factor authentication"
      description="Enter your password to set up an authenticator app."
      action="Continue"
      mutation={begin}
      onSend={(text) => begin.mutate(text('password'))}
      onClose={onClose}
    />
  );
}

type ConfirmDialogProps = SecondFactorDialogProps &
  Readonly<{ secret: z.infer<typeof TotpSecret> }>;

function ConfirmDialog({ secret, onCodes, onClose }: ConfirmDialogProps) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: (code: string) =>
      send<z.infer<typeof RecoveryCodes>>('POST', '/me/totp/confirm', { code }),
    onSuccess: ({ recovery_codes: codes }) => {
      onCodes(codes);
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Set up two-factor authentication"
      description="Scan the code with your authenticator app, or enter the secret there. Then enter the code that it shows."
      action="Turn on"
      mutation={confirm}
      fields={['code']}
      onSend={(text) => confirm.mutate(text('code'))}
    >
      <Secret {...secret} />
      <TextField
        label="Code"
        param="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d{6}"
        title="Six digits"
        maxLength={6}
        placeholder="123456"
        className="font-mono"
        ref={focusOn}
        required
      />
    </FormDialog>
  );
}

/** Shows the secret as a QR code, and as text in groups of four characters. */
function Secret({ secret, uri }: z.infer<typeof TotpSecret>) {
  return (
    <div className="grid justify-items-start gap-3">
      <QrCode text={uri} label="Scan with your authenticator app" />
      <div className="flex w-full items-center justify-between gap-2 rounded-lg border bg-sunken py-2 pr-2 pl-3">
        <code className="min-w-0 font-mono text-sm break-words">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <CopyButton text={secret} what="the secret" />
      </div>
      <a href={uri} className="text-sm text-accent underline underline-offset-2">
        Open in an authenticator app on this device
      </a>
    </div>
  );
}
