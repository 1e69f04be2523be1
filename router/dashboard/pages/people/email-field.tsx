import { TextField } from '../../parts/field.tsx';

/** The email that a person signs in with. */
export function EmailField({ usual }: { usual?: string | undefined }) {
  return (
    <TextField
      label="Email"
      param="email"
      type="email"
      autoComplete="username"
      defaultValue={usual}
      required
    />
  );
}
