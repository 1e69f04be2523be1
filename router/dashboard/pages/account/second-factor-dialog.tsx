/**
 * Sets up two-factor authentication: requires the password, then shows the secret and requires its
 * first code.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { RecoveryCodes, TotpSecret } from '../../../../shared/api/people.ts';
import { send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault, Field, Input } from '../../parts/field.tsx';
import { focusOn } from '../../parts/focus.ts';
import { Form } from '../../parts/form.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type SecondFactorDialogProps = Readonly<{
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}>;

export function SecondFactorDialog({ onCodes, onClose }: SecondFactorDialogProps) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (password: string) =>
      send<z.infer<typeof TotpSecret>>('POST', '/me/totp', { password }),
  });
  if (data) return <ConfirmDialog secret={data} onCodes={onCodes} onClose={onClose} />;
  return (
    <ProofDialog
      title="Set up two-factor authentication"
      description="You need an authenticator app. Enter your password to continue."
      action="Continue"
      busy={isPending}
      error={error}
      onSend={(text) => mutate(text('password'))}
      onClose={onClose}
    />
  );
}

type ConfirmDialogProps = SecondFactorDialogProps &
  Readonly<{ secret: z.infer<typeof TotpSecret> }>;

function ConfirmDialog({ secret, onCodes, onClose }: ConfirmDialogProps) {
  const queries = useQueryClient();
  const { error, isPending, mutate } = useMutation({
    mutationFn: (code: string) =>
      send<z.infer<typeof RecoveryCodes>>('POST', '/me/totp/confirm', { code }),
    onSuccess: ({ recovery_codes: codes }) => {
      onCodes(codes);
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Set up two-factor authentication"
      description="Add this secret to your authenticator app, then enter the code that it shows."
    >
      <Secret {...secret} />
      <Form onSend={(text) => mutate(text('code'))}>
        <Field label="Code" error={error} param="code">
          {(described) => (
            <Input
              {...described}
              name="code"
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
          )}
        </Field>
        <Fault error={error} fields={['code']} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button type="submit" look="primary" busy={isPending}>
            Turn on
          </Button>
        </footer>
      </Form>
    </Dialog>
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
