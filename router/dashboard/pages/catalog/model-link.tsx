import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { modelParams } from './model-params.ts';

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
