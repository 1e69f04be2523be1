/** What the routes of all pages have in common: their parents, and how a page is guarded. */
import type { QueryClient } from '@tanstack/react-query';
import {
  type AsyncRouteComponent,
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { ApiError } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { PAGES, type PageName } from './pages.ts';
import { checkOrganization } from './route-ids.ts';
import { returningTo } from './search.ts';
import { Guard } from './shell/guard.tsx';
import { LazyFrame } from './shell/lazy-frame.ts';
import { NotFound } from './shell/not-found.tsx';
import { Unavailable } from './shell/unavailable.tsx';

export type Load = () => Promise<{ default: FunctionComponent }>;

/** A page that only those see who may. Its code is loaded when it is first opened. */
export function guarded(name: PageName, load: Load): AsyncRouteComponent<object> {
  const Loaded = lazyRouteComponent(load);
  const Guarded = () => (
    <Guard name={name}>
      <Loaded />
    </Guard>
  );
  return Object.assign(Guarded, Loaded.preload && { preload: Loaded.preload });
}

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  // At the first load, nothing is drawn before the session is known.
  pendingMs: Infinity,
});

export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: LazyFrame,
  errorComponent: Unavailable,
  beforeLoad: async ({ context: { queries }, location, params }) => {
    // An address of no page leads nobody to the sign-in page.
    if ('organization' in params) checkOrganization(params);
    const me = await queries.ensureQueryData(meQuery).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/sign-in', search: returningTo(location.href), replace: true });
    });
    return { me };
  },
});

/** A page for people who are signed in. */
export function signedInPage<Name extends PageName>(name: Name, load: Load) {
  const path: (typeof PAGES)[Name]['path'] = PAGES[name].path;
  return createRoute({ getParentRoute: () => signedIn, path, component: guarded(name, load) });
}
