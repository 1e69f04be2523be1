/**
 * The frame of the pages that anybody may see. People who are signed in get the dashboard's, so that
 * they keep its navigation and their organization; visitors get the site's header. Inside it, the
 * variable `--header` is the height of the header that stays at the top of the window.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import type { Me } from '../../../shared/api/people.ts';
import { meQuery, visitorQuery } from '../api/me.ts';
import { LazyFrame } from './lazy-frame.ts';
import { PageSkeleton } from './page-skeleton.tsx';
import { SiteHeader } from './site-header.tsx';

type OpenFrameProps = Readonly<{
  /** The page uses the whole width of the window, and so does the site's header. */
  wide?: boolean;
  children: ReactNode;
}>;

export function OpenFrame({ wide = false, children }: OpenFrameProps) {
  const me = useVisitor();
  // Nothing is drawn before it is known who reads.
  if (me === undefined) return null;
  if (me === null) return <WithSiteHeader wide={wide}>{children}</WithSiteHeader>;
  return (
    <Suspense fallback={null}>
      <LazyFrame>
        {/* From this width on, the frame has its navigation at the side, and no header. */}
        <div className="flex flex-1 flex-col [--header:3.25rem] max-sm:[--header:3.8125rem] lg:[--header:0rem]">
          {children}
        </div>
      </LazyFrame>
    </Suspense>
  );
}

function WithSiteHeader({ wide, children }: Required<OpenFrameProps>) {
  return (
    <div className="min-h-dvh bg-ground [--header:3rem]">
      <SiteHeader wide={wide} />
      <main id="content" className="outline-none" tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </main>
    </div>
  );
}

/**
 * Returns the person who is signed in, null when nobody is, and undefined while that is asked. Who
 * comes from another page of the dashboard is known at once.
 */
function useVisitor(): Me | null | undefined {
  const { data, isError } = useQuery(visitorQuery);
  const known = useQueryClient().getQueryData(meQuery.queryKey);
  if (data !== undefined) return data;
  // The pages are read without the API, too.
  return known ?? (isError ? null : undefined);
}
