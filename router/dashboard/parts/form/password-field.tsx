import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Field, Input } from './field.tsx';
import { focusOn } from './focus.ts';

/**
 * The bounds of shared/api/people.ts for a new password; its schema is not bundled for browsers.
 */
const CHARS_MIN = 12;
const CHARS_MAX = 128;

type PasswordFieldProps = Readonly<{
  label?: string;
  name?: string;
  /** For a new password: shows the rule, and lets password managers suggest a password. */
  chosen?: boolean;
  /** Whether the person types here first. */
  first?: boolean;
}>;

/** A password, with a button that shows it. `name` is also the name of the field in the API. */
export function PasswordField({
  label = 'Password',
  name = 'password',
  chosen = false,
  first = false,
}: PasswordFieldProps) {
  const [seen, setSeen] = useState(false);
  const rule = `At least ${CHARS_MIN} characters.`;
  return (
    <Field label={label} param={name} {...(chosen ? { hint: rule } : {})}>
      {(described) => (
        <div className="relative">
          <Input
            {...described}
            name={name}
            type={seen ? 'text' : 'password'}
            autoComplete={chosen ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            required
            {...(first && { ref: focusOn })}
            className="pr-10"
            {...(chosen ? { minLength: CHARS_MIN, maxLength: CHARS_MAX } : {})}
          />
          <Button
            look="ghost"
            size="small"
            square
            aria-pressed={seen}
            aria-label="Show password"
            className="absolute top-[0.1875rem] right-1"
            onClick={() => setSeen(!seen)}
          >
            {seen ? <EyeOff /> : <Eye />}
          </Button>
        </div>
      )}
    </Field>
  );
}
