import { TextField } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';

type EmailFieldProps = Readonly<{
  usual?: string | undefined;
  /** Whether the email is that of an invitation, and cannot be edited. */
  fixed?: boolean;
  /** Whether the person types here first. */
  first?: boolean;
  /** Whether the browser may offer passkeys here. */
  withPasskeys?: boolean;
  onChange?: (email: string) => void;
}>;

/** The email that a person signs in with. */
export function EmailField({
  usual,
  fixed = false,
  first = false,
  withPasskeys = false,
  onChange,
}: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      param="email"
      type="email"
      autoComplete={withPasskeys ? 'username webauthn' : 'username'}
      defaultValue={usual}
      required
      {...(fixed && { readOnly: true, className: 'bg-sunken text-muted' })}
      {...(first && { ref: focusOn })}
      {...(onChange && { onChange })}
    />
  );
}
