import { useState } from 'react';
import type { Limits } from '../../../../shared/api/fields.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useChangeTerms } from './change-terms.ts';
import { wholeOrNull } from './entered.ts';

const FIELDS: readonly Readonly<{ name: keyof Limits; label: string; hint?: string }>[] = [
  { name: 'requests_per_minute', label: 'Requests per minute' },
  {
    name: 'tokens_per_minute',
    label: 'Tokens per minute',
    hint: 'Prompt and completion tokens together.',
  },
  { name: 'concurrent_requests', label: 'Concurrent requests' },
];

type LimitsDialogProps = Readonly<{ organization: Organization; onClose: () => void }>;

export function LimitsDialog({ organization: { id, limits }, onClose }: LimitsDialogProps) {
  const [texts, setTexts] = useState<Readonly<Record<keyof Limits, string>>>({
    requests_per_minute: textOf(limits.requests_per_minute),
    tokens_per_minute: textOf(limits.tokens_per_minute),
    concurrent_requests: textOf(limits.concurrent_requests),
  });
  const change = useChangeTerms(id, onClose);
  const wanted = (): Limits => ({
    requests_per_minute: wholeOrNull(texts.requests_per_minute, paramOf('requests_per_minute')),
    tokens_per_minute: wholeOrNull(texts.tokens_per_minute, paramOf('tokens_per_minute')),
    concurrent_requests: wholeOrNull(texts.concurrent_requests, paramOf('concurrent_requests')),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Change limits"
      description="Limits of the whole organization, across all of its keys. Leave a field empty to use the default of the routers."
      action="Change limits"
      mutation={change}
      fields={FIELDS.map(({ name }) => paramOf(name))}
      onSend={() => change.mutate(() => ({ limits: wanted() }))}
    >
      {FIELDS.map(({ name, label, hint }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          param={paramOf(name)}
          inputMode="numeric"
          autoComplete="off"
          placeholder="Default"
          value={texts[name]}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
    </FormDialog>
  );
}

function paramOf(name: keyof Limits): string {
  return `limits.${name}`;
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit);
}
