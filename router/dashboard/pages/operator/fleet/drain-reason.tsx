import { REASON_CHARS_MAX } from '../../../../../shared/bounds/reason-chars.ts';
import { TextField } from '../../../parts/form/field.tsx';

type Props = Readonly<{ error: Error | null; onChange: (reason: string) => void }>;

/** Why hosts are drained. It is shown with the drain, and in the audit log. */
export function DrainReason({ error, onChange }: Props) {
  return (
    <div className="text-ink">
      <TextField
        label="Note (optional)"
        hint="Other operators read it on the host's page while it drains."
        param="reason"
        error={error}
        maxLength={REASON_CHARS_MAX}
        autoComplete="off"
        onChange={onChange}
      />
    </div>
  );
}
