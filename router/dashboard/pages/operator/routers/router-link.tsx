/** The name of a router, which leads to its page. */
import { Link } from '@tanstack/react-router';

export function RouterLink({ id, name }: Readonly<{ id: string; name: string }>) {
  return (
    <Link
      to="/operator/routers/$router"
      params={{ router: id }}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {name}
    </Link>
  );
}
