import type { OperatorRole } from '../../../../../shared/operator-roles.ts';
import { SelectField } from '../../../parts/field.tsx';

export const ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  administrator: 'Administrator',
  viewer: 'Viewer',
};

type RoleChoiceProps = Readonly<{ value: OperatorRole; onChange: (role: OperatorRole) => void }>;

export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <SelectField
      label="Role"
      param="role"
      hint={
        value === 'administrator'
          ? 'Sees and changes everything on the platform.'
          : 'Sees everything on the platform, and changes nothing.'
      }
      value={value}
      onChange={(role) => onChange(role === 'viewer' ? 'viewer' : 'administrator')}
    >
      {Object.entries(ROLE_NAMES).map(([role, name]) => (
        <option key={role} value={role}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
