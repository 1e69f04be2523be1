import { TextField } from '../../parts/field.tsx';
import type { KeyDraft } from './key-draft.ts';

type FieldsProps = Readonly<{
  draft: KeyDraft;
  onChange: (draft: KeyDraft) => void;
}>;

export function NameField({ draft, onChange }: FieldsProps) {
  return (
    <TextField
      label="Name"
      hint="Usage is listed under this name."
      param="name"
      value={draft.name}
      required
      maxLength={100}
      autoComplete="off"
      placeholder="Nightly batch"
      onChange={(text) => onChange({ ...draft, name: text })}
    />
  );
}

/** The key's expiry, monthly cap and rate limits. */
export function LimitFields({ draft, onChange }: FieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <TextField
          label="Expires"
          hint="In your time zone. Leave empty for no expiry."
          param="expires"
          type="datetime-local"
          value={draft.expires}
          onChange={(text) => onChange({ ...draft, expires: text })}
        />
      </div>
      <TextField
        label="Monthly cap in USD"
        hint="Per calendar month (UTC). Leave empty for no cap."
        param="monthly_cap"
        inputMode="decimal"
        autoComplete="off"
        placeholder="25"
        value={draft.cap}
        onChange={(text) => onChange({ ...draft, cap: text })}
      />
      <LimitField
        label="Concurrent requests"
        param="concurrent_requests"
        field="concurrent"
        {...{ draft, onChange }}
      />
      <LimitField
        label="Requests per minute"
        param="requests_per_minute"
        field="requests"
        {...{ draft, onChange }}
      />
      <LimitField
        label="Tokens per minute"
        param="tokens_per_minute"
        field="tokens"
        {...{ draft, onChange }}
      />
    </div>
  );
}

type LimitFieldProps = FieldsProps &
  Readonly<{ label: string; param: string; field: 'requests' | 'tokens' | 'concurrent' }>;

function LimitField({ label, param, field, draft, onChange }: LimitFieldProps) {
  return (
    <TextField
      label={label}
      hint="Leave empty to use the organization's limit."
      param={`limits.${param}`}
      type="number"
      min={1}
      step={1}
      autoComplete="off"
      value={draft[field]}
      onChange={(text) => onChange({ ...draft, [field]: text })}
    />
  );
}
