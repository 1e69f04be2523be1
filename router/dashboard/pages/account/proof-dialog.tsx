import type { ComponentProps, ReactNode } from 'react';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { PasswordField } from '../../parts/form/password-field.tsx';

type ProofDialogProps = Omit<ComponentProps<typeof FormDialog>, 'children'> &
  Readonly<{
    /** The name and label of the password field. */
    password?: Readonly<{ name: string; label: string }>;
    /** Further fields before and after the password field. */
    before?: ReactNode;
    after?: ReactNode;
  }>;

/** Reauthenticates the person with their password before a sensitive change. */
export function ProofDialog({
  password = { name: 'password', label: 'Password' },
  before,
  after,
  fields = [],
  ...dialog
}: ProofDialogProps) {
  return (
    <FormDialog {...dialog} fields={[...fields, password.name]}>
      {before}
      <PasswordField {...password} />
      {after}
    </FormDialog>
  );
}
