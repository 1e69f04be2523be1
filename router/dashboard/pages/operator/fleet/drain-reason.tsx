import { REASON_CHARS_MAX } from '../../../../../shared/bounds/reason-chars.ts';
import { TextField } from '../../../parts/form/field.tsx';

type Props = Readonly<{
  what?: 'host' | 'worker';
  error: Error | null;
  onChange: (reason: string) => void;
}>;

const HINTS = {
  host: "Other operators read it on the host's page while it drains.",
  worker: "Other operators read it in the worker's details and in the events of its host.",
} as const;

/** Why hosts or a worker are drained. It is shown with the drain, and in the audit log. */
export function DrainReason({ what = 'host', error, onChange }: Props) {
  return (
    <div className="text-ink">
      <TextField
        label="Note (optional)"
        hint={HINTS[what]}
        param="reason"
        error={error}
        maxLength={REASON_CHARS_MAX}
        autoComplete="off"
        onChange={onChange}
      />
    </div>
  );
}
