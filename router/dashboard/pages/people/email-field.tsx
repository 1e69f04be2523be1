import { TextField } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';

type EmailFieldProps = Readonly<{
  usual?: string | undefined;
  /** Whether the person types here first. */
  first?: boolean;
  onChange?: (email: string) => void;
}>;

/** The email that a person signs in with. */
export function EmailField({ usual, first = false, onChange }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      param="email"
      type="email"
      autoComplete="username"
      defaultValue={usual}
      required
      {...(first && { ref: focusOn })}
      {...(onChange && { onChange })}
    />
  );
}
