/** Who has suspended or locked something, when and why, from the entry in the audit log. */
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { When } from '../../parts/shown.tsx';
import { ACTOR_KINDS } from '../audit/words.ts';

export function GivenReason({ entry: { actor, created, details } }: { entry: AuditEntry }) {
  const { reason } = details;
  return (
    <>
      By {actor.name ?? ACTOR_KINDS[actor.kind]}, <When at={created} />.{' '}
      {typeof reason === 'string' ? (
        <span className="break-words">Reason: {reason}</span>
      ) : (
        'No reason was given.'
      )}
    </>
  );
}
