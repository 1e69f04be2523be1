import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';
import { Form } from '../../parts/form/form.tsx';

type CodeStepProps = Readonly<{
  error: Error | null;
  busy: boolean;
  onSend: (code: string) => void;
  onBack: () => void;
}>;

/** The form for the authenticator's code, or a recovery code when the authenticator is lost. */
export function CodeStep({ error, busy, onSend, onBack }: CodeStepProps) {
  const [recovering, setRecovering] = useState(false);
  return (
    <Form error={error} onSend={(text) => onSend(text('code'))}>
      <TextField
        key={recovering ? 'recovery' : 'authenticator'}
        label={recovering ? 'Recovery code' : 'Code'}
        hint={
          recovering
            ? 'One of the codes that you saved when you set up two-factor authentication. Each code works once. If you have none, contact support.'
            : 'The six-digit code from your authenticator app.'
        }
        param="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={recovering ? 'text' : 'numeric'}
        maxLength={32}
        className="font-mono"
        ref={focusOn}
        required
      />
      <Fault error={error} fields={['code']} />
      <Button type="submit" look="primary" busy={busy}>
        Sign in
      </Button>
      {/* Their texts are aligned with the field. */}
      <div className="-mx-2.5 flex flex-wrap justify-between gap-2">
        <Button look="ghost" size="small" onClick={() => setRecovering(!recovering)}>
          {recovering ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button look="ghost" size="small" onClick={onBack}>
          Back
        </Button>
      </div>
    </Form>
  );
}
