import { useId } from 'react';
import type { Role } from '../../../../shared/api/roles.ts';
import { roleName } from '../../../../shared/role-names.ts';
import { mayInWords, ROLES } from './abilities.ts';

type RoleChoiceProps = Readonly<{ value: Role; onChange: (role: Role) => void }>;

/** A choice of one role. Each role is listed with what it allows. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Role</legend>
      <div className="divide-y divide-line overflow-hidden rounded-lg border">
        {ROLES.map((role) => (
          <label
            key={role}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-hover has-checked:bg-sunken"
          >
            <input
              type="radio"
              name={name}
              value={role}
              checked={role === value}
              onChange={() => onChange(role)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="text-sm font-medium">{roleName(role)}</span>
            <span className="col-start-2 text-xs text-muted">{mayInWords(role)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
