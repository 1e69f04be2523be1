import { Check } from 'lucide-react';
import { roleName } from '../../../../shared/role-names.ts';
import { mayDo } from '../../../control/permissions.ts';
import { Panel } from '../../parts/page.tsx';
import { Table, Td } from '../../parts/list/table.tsx';
import { ALL, ROLES, WORDS } from './abilities.ts';

/** Which role may do what, from the API's own table of permissions. */
export function RolesPanel({ isTitled = true }: { isTitled?: boolean }) {
  return (
    <Panel {...(isTitled && { title: 'Role permissions' })} flush>
      <Table
        label="Role permissions"
        columns={[
          'Permission',
          ...ROLES.map((role) => ({ name: roleName(role), align: 'center' as const })),
        ]}
      >
        {ALL.map((permission) => (
          <tr key={permission}>
            <Td className="min-w-56">{WORDS[permission]}</Td>
            {ROLES.map((role) => (
              <Td key={role} className="text-center">
                {mayDo(role, permission) ? (
                  <Check className="mx-auto size-4 text-good" role="img" aria-label="Yes" />
                ) : (
                  <span className="dash text-muted">
                    <span aria-hidden>–</span>
                    <span className="sr-only">No</span>
                  </span>
                )}
              </Td>
            ))}
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
