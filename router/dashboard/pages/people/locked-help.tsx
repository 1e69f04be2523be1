import { ApiError } from '../../api/client.ts';
import { contactLink } from '../../service.ts';
import { LINK } from './visitor-frame.tsx';

/** Leads a person whose account is locked to the operator, if the operator has a contact. */
export function LockedHelp({ error }: Readonly<{ error: Error | null }>) {
  const contact = contactLink();
  const isLocked = error instanceof ApiError && error.code === 'account_locked';
  if (!isLocked || contact === null) return null;
  return (
    <p className="mt-4 text-sm">
      <a href={contact} className={LINK}>
        Contact support
      </a>
    </p>
  );
}
