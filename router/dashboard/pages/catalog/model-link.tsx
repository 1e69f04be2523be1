import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The parts of the address of a model's page. Ids consist of a namespace, a slash and a name. */
export function modelParams(id: string): Readonly<{ namespace: string; name: string }> {
  const [namespace = '', name = ''] = id.split('/');
  return { namespace, name };
}

/** A link to the page of a model. */
export function ModelLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to="/catalog/$namespace/$name"
      params={modelParams(id)}
      className="hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}
