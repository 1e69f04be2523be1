/**
 * The frame of the pages about models, which anybody may see. Where the operator hides the models
 * from visitors, it leads them to the sign-in page.
 */
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { visitorQuery } from '../api/me.ts';
import { areModelsPublic } from '../api/public-figures.ts';
import { returningTo } from '../search.ts';
import { OpenFrame } from './open-frame.tsx';

export function SiteFrame({ children }: { children: ReactNode }) {
  const { data: me, isPending } = useQuery(visitorQuery);
  // The address changes on the way to the sign-in page.
  const [href] = useState(() => location.pathname + location.search);
  if (!areModelsPublic()) {
    if (isPending) return null;
    if (!me) return <Navigate to="/sign-in" search={returningTo(href)} replace />;
  }
  return <OpenFrame>{children}</OpenFrame>;
}
