import { CapFields } from '../../parts/form/cap-fields.tsx';
import { TextField } from '../../parts/form/field.tsx';
import type { KeyDraft } from './key-draft.ts';

/** The fields of a key's form start with the values of `draft`. */
type FieldsProps = Readonly<{ draft: KeyDraft }>;

export function NameField({ draft }: FieldsProps) {
  return (
    <TextField
      label="Name"
      param="name"
      defaultValue={draft.name}
      required
      maxLength={100}
      autoComplete="off"
      placeholder="Nightly batch"
    />
  );
}

/** The key's expiry, caps and rate limits. */
export function LimitFields({ draft }: FieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <TextField
          label="Expires"
          hint="Optional. In your time zone."
          param="expires"
          type="datetime-local"
          defaultValue={draft.expires}
        />
      </div>
      <CapFields month={draft.cap} day={draft.dayCap} />
      <LimitField label="Concurrent requests" param="concurrent_requests" now={draft.concurrent} />
      <LimitField label="Requests per minute" param="requests_per_minute" now={draft.requests} />
      <LimitField label="Tokens per minute" param="tokens_per_minute" now={draft.tokens} />
    </div>
  );
}

type LimitFieldProps = Readonly<{ label: string; param: string; now: string }>;

function LimitField({ label, param, now }: LimitFieldProps) {
  return (
    <TextField
      label={label}
      hint="Leave blank to use the organization's limit."
      param={`limits.${param}`}
      type="number"
      min={1}
      step={1}
      autoComplete="off"
      defaultValue={now}
    />
  );
}
