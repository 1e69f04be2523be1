import type { Limits } from '../../../../../shared/api/fields.ts';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { useChangeTerms } from './change-terms.ts';
import { wholeOrNull } from './entered.ts';
import { defaultShown, LIMITS } from './limits.ts';

type LimitsDialogProps = Readonly<{ organization: Organization; onClose: () => void }>;

export function LimitsDialog({ organization, onClose }: LimitsDialogProps) {
  const { id, limits, limits_in_force: inForce } = organization;
  const change = useChangeTerms(id, onClose);
  const wanted = (text: (name: string) => string): Limits => {
    const limit = (name: keyof Limits) => wholeOrNull(text(paramOf(name)), paramOf(name));
    return {
      requests_per_minute: limit('requests_per_minute'),
      tokens_per_minute: limit('tokens_per_minute'),
      concurrent_requests: limit('concurrent_requests'),
    };
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Change limits"
      description="Limits of the whole organization, across all of its keys. Leave a field blank to use the default."
      action="Change limits"
      mutation={change}
      fields={LIMITS.map(({ name }) => paramOf(name))}
      onSend={(text) => change.mutate(() => ({ limits: wanted(text) }))}
    >
      {LIMITS.map(({ name, label, hint }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          param={paramOf(name)}
          inputMode="numeric"
          autoComplete="off"
          placeholder={limits[name] === null ? defaultShown(inForce[name]) : 'Default'}
          defaultValue={limits[name] ?? ''}
        />
      ))}
    </FormDialog>
  );
}

function paramOf(name: keyof Limits): string {
  return `limits.${name}`;
}
