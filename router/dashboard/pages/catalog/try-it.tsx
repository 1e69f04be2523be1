import { Link } from '@tanstack/react-router';
import { Button } from '../../parts/form/button.tsx';
import { useOwn } from './use-models.ts';

type TryItProps = Readonly<{ model: string; name: string; small?: boolean }>;

/**
 * Opens a model in the playground. A visitor signs in first. Nothing for people who may not use the
 * playground of their organization.
 */
export function TryIt({ model, name, small = false }: TryItProps) {
  const own = useOwn();
  if (own !== null && !own.mayChat) return null;
  return (
    <Button size={small ? 'small' : 'medium'} asChild>
      {own === null ? (
        <Link to="/playground" search={{ model }} aria-label={`Try it: ${name} in the playground`}>
          Try it
        </Link>
      ) : (
        <Link
          to="/$organization/playground"
          params={{ organization: own.organization.id }}
          search={{ model }}
          aria-label={`Try it: ${name} in the playground`}
        >
          Try it
        </Link>
      )}
    </Button>
  );
}
