import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

type ProofDialogProps = Readonly<{
  title: string;
  description: ReactNode;
  /** The verb: "Remove second factor". */
  action: string;
  danger?: boolean;
  /** What is at fault of the fields below it is said there. */
  fields?: readonly string[];
  /** The password's own name and label. */
  password?: Readonly<{ name: string; label: string }>;
  busy: boolean;
  error: Error | null;
  onSend: (text: (name: string) => string) => void;
  onClose: () => void;
  /** Further fields, after the password or before it. */
  before?: ReactNode;
  after?: ReactNode;
}>;

/** Asks for the password again, before what matters most is changed. It stays until whoever opened it closes it. */
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
