import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a model. Ids consist of a namespace, a slash and a name. */
export function ModelLink({ id, children }: { id: string; children: ReactNode }) {
  const [namespace = '', name = ''] = id.split('/');
  return (
    <Link
      to="/catalog/$namespace/$name"
      params={{ namespace, name }}
      className="hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}
