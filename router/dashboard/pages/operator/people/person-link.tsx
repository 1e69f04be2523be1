import { Link } from '@tanstack/react-router';

/** A person's name, which leads operators to the person's page. */
export function PersonLink({ id, name }: Readonly<{ id: string; name: string }>) {
  return (
    <Link to="/operator/people/$person" params={{ person: id }} className="hover:underline">
      {name}
    </Link>
  );
}
