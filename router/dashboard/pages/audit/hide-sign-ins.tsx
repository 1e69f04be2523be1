import { useId } from 'react';
import { Switch } from '../../parts/form/switch.tsx';
import type { AuditSearch } from '../../search.ts';
import { valuesOf } from '../../search-values.ts';
import { leftOutOf } from './sign-ins.ts';

type SignInsProps = Readonly<{
  shown: AuditSearch;
  onChange: (change: AuditSearch) => void;
}>;

export function HideSignIns({ shown, onChange }: SignInsProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-sm whitespace-nowrap text-muted max-sm:min-h-11">
      <Switch
        id={id}
        checked={leftOutOf(shown).length > 0}
        // A filter that asks for them has them.
        disabled={valuesOf(shown.kind).includes('session')}
        onChange={(hidden) => onChange({ sign_ins: hidden ? undefined : 'shown' })}
      />
      <label htmlFor={id}>Hide sign-ins</label>
    </div>
  );
}
