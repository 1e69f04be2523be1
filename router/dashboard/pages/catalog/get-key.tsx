import { Link } from '@tanstack/react-router';
import { Button } from '../../parts/form/button.tsx';
import { isSignUpOpen } from '../../service.ts';
import { useOwn } from './use-models.ts';

/**
 * Leads a visitor to an account, and a member to a new key of their organization. Nothing for people
 * who may not create keys.
 */
export function GetKey() {
  const own = useOwn();
  if (own !== null && !own.mayCreateKeys) return null;
  return (
    <Button look="primary" asChild>
      {own === null ? (
        <Link to={isSignUpOpen() ? '/sign-up' : '/sign-in'}>Get an API key</Link>
      ) : (
        <Link
          to="/$organization/keys"
          params={{ organization: own.organization.id }}
          search={{ open: 'create' } as never}
        >
          Create API key
        </Link>
      )}
    </Button>
  );
}
