import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

type ProofDialogProps = Readonly<{
  title: string;
  description: ReactNode;
  /** The label of the button, such as "Delete account". */
  action: string;
  danger?: boolean;
  /** Names of the fields in `before` and `after`, which show their own errors. */
  fields?: readonly string[];
  /** The name and label of the password field. */
  password?: Readonly<{ name: string; label: string }>;
  busy: boolean;
  error: Error | null;
  onSend: (text: (name: string) => string) => void;
  onClose: () => void;
  /** Further fields before and after the password field. */
  before?: ReactNode;
  after?: ReactNode;
}>;

/**
 * Reauthenticates the person with their password before a sensitive change. The owner closes the
 * dialog with `onClose`.
 */
export function ProofDialog({
  title,
  description,
  action,
  danger = false,
  fields = [],
  password = { name: 'password', label: 'Password' },
  busy,
  error,
  onSend,
  onClose,
  before,
  after,
}: ProofDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title} description={description}>
      <Form onSend={onSend}>
        {before}
        <PasswordField {...password} error={error} />
        {after}
        <Fault error={error} fields={[...fields, password.name]} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
