/** Says who may call an operation, and with what. */
import { Link } from '@tanstack/react-router';
import { PEOPLE_ONLY, type Permission, PERMISSIONS } from '../../../control/permissions.ts';
import { LINK } from '../people/visitor-frame.tsx';

type WhoProps = Readonly<{
  permission: string;
  /** Operators who are viewers only read. */
  isRead: boolean;
  /** Whether it is said that operators may, too. */
  showsOperators: boolean;
}>;

export function WhoMayCall({ permission, isRead, showsOperators }: WhoProps) {
  if (permission === 'public') return 'Anybody, without a token.';
  if (permission === 'operator') {
    return (
      <>
        {isRead ? 'Operators' : 'Administrators'} of the platform, with an{' '}
        <Token hash="token">operator token</Token>.
      </>
    );
  }
  if (permission === 'person') {
    return (
      <>
        People who are signed in, for their own account. It needs a{' '}
        <Token hash="sessions">session</Token>: a management token cannot call it.
      </>
    );
  }
  const roles = rolesInWords(permission);
  const isForPeople = (PEOPLE_ONLY as readonly string[]).includes(permission);
  const operators = showsOperators && ', and operators';
  return isForPeople ? (
    <>
      People with {roles}, with a <Token hash="sessions">session</Token>
      {operators}. A management token cannot call it.
    </>
  ) : (
    <>
      A <Token hash="token">management token</Token> or a person with {roles}
      {operators}.
    </>
  );
}

/** For example "the role org-admin or developer". Every role has the permission `read`. */
function rolesInWords(permission: string): string {
  if (!isPermission(permission) || permission === 'read') return 'any role';
  const roles = PERMISSIONS[permission];
  return `the role ${new Intl.ListFormat('en', { type: 'disjunction' }).format(roles)}`;
}

function isPermission(permission: string): permission is Permission {
  return permission in PERMISSIONS;
}

function Token({ hash, children }: { hash: string; children: string }) {
  return (
    <Link to="/docs/api" hash={hash} search className={LINK}>
      {children}
    </Link>
  );
}
