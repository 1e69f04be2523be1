import type { Person } from '../../../../../shared/api/people.ts';
import { Badge } from '../../../parts/shown.tsx';

/** Whether the account is confirmed, and whether it is an operator's. */
export function PersonStatus({ person }: { person: Person }) {
  return (
    <span className="flex flex-wrap gap-1">
      {person.email_confirmed ? (
        <Badge tone="good">Active</Badge>
      ) : (
        <Badge tone="warn">Email not confirmed</Badge>
      )}
      {person.operator && <Badge tone="accent">Operator</Badge>}
    </span>
  );
}
