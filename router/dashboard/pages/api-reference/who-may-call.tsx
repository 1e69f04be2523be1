/** Says who may call an operation, and with what. */
import { Link } from '@tanstack/react-router';
import { PEOPLE_ONLY, type Permission, PERMISSIONS } from '../../../control/permissions.ts';
import { LINK } from '../people/visitor-frame.tsx';

export function WhoMayCall({ permission }: { permission: string }) {
  if (permission === 'public') return 'Anybody, without a token.';
  if (permission === 'operator') {
    return (
      <>
        Operators of the platform, with an <Token hash="token">operator token</Token>.
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
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(rolesOf(permission));
  const isForPeople = (PEOPLE_ONLY as readonly string[]).includes(permission);
  return isForPeople ? (
    <>
      People with the role {roles}, with a <Token hash="sessions">session</Token>, and operators. A
      management token cannot call it.
    </>
  ) : (
    <>
      A <Token hash="token">management token</Token> or a person with the role {roles}, and
      operators.
    </>
  );
}

function rolesOf(permission: string): readonly string[] {
  return permission in PERMISSIONS ? PERMISSIONS[permission as Permission] : [];
}

function Token({ hash, children }: { hash: string; children: string }) {
  return (
    <Link to="/docs/api" hash={hash} search className={LINK}>
      {children}
    </Link>
  );
}
