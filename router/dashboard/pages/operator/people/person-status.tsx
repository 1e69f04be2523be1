import type { Person } from '../../../../../shared/api/people.ts';
import { Badge } from '../../../parts/shown.tsx';

/** Whether somebody can sign in to the account, and whether it is an operator's. */
export function PersonStatus({ person }: { person: Person }) {
  return (
    <span className="flex flex-wrap gap-1">
      {person.locked_at && <Badge tone="bad">Locked</Badge>}
      {!person.email_confirmed && <Badge tone="warn">Email not confirmed</Badge>}
      {!person.locked_at && person.email_confirmed && <Badge tone="good">Active</Badge>}
      {person.operator && <Badge tone="accent">Operator</Badge>}
    </span>
  );
}
