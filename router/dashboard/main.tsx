/** The dashboard's composition root. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { noteSession } from './api/me.ts';
import { makeQueries } from './api/queries.ts';
import { Said, unsay } from './parts/said.tsx';
import { makeRouter } from './router.ts';
import { returningTo } from './search.ts';
import './theme.css';

// An open dialog locks the page behind it with a `<style>` element, for which the
// Content-Security-Policy requires a nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '');

let isLeaving = false;
const queries = makeQueries(() => {
  noteSession(false);
  const { pathname, href } = router.state.location;
  if (isLeaving || pathname === '/sign-in') return;
  isLeaving = true;
  unsay();
  // Leave the page before clearing the cache: a page that is shown would refetch its queries. Going
  // back to its address would lead here again, so that it is replaced.
  const way = { to: '/sign-in', search: returningTo(href), replace: true } as const;
  void router.navigate(way).finally(() => {
    queries.clear();
    isLeaving = false;
  });
});
const router = makeRouter(queries);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Said />
    </QueryClientProvider>
  </StrictMode>,
);
