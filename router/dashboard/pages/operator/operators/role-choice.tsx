import {
  isOperatorRole,
  OPERATOR_ROLE_NAMES,
  type OperatorRole,
} from '../../../../../shared/operator-roles.ts';
import { SelectField } from '../../../parts/form/field.tsx';

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
      onChange={(role) => isOperatorRole(role) && onChange(role)}
    >
      {Object.entries(OPERATOR_ROLE_NAMES).map(([role, name]) => (
        <option key={role} value={role}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
