/** The router of the dashboard, which shows the page of the address. */
import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { hadSession } from './api/me.ts';
import { signedIn } from './base-routes.tsx';
import { home, routes } from './routes.tsx';
import { Broken } from './shell/broken.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { NotFound } from './shell/not-found.tsx';

export function makeRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree: routes,
    context: { queries },
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PageSkeleton,
    // The page before stays in place for this long, in milliseconds, and a page that has come is
    // not held back.
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  });
  // The code of the first page is loaded while the API is asked who is signed in, and that of the
  // frame, if somebody is. The landing page leads whoever is signed in to another page.
  const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hadSession) void router.loadRouteChunk(signedIn);
  for (const route of matched) {
    if (route.id !== home.id || !hadSession) void router.loadRouteChunk(route);
  }
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
