/** The header of the pages that visitors may see: the documentation, the models and their status. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visitorQuery } from '../api/me.ts';
import { areModelsPublic } from '../api/public-figures.ts';
import { Mark } from './mark.tsx';

const LINK = 'hover:text-ink data-[status=active]:text-ink';

export function SiteHeader() {
  const me = useQuery(visitorQuery).data ?? null;
  return (
    <header className="sticky top-0 z-30 border-b bg-ground">
      <div className="mx-auto flex h-12 max-w-6xl items-center gap-4 px-4 text-sm sm:px-8">
        <Link to="/docs" className="flex items-center gap-2.5 font-semibold">
          <Mark /> <span className="max-sm:sr-only">Penstock</span>
        </Link>
        <nav aria-label="Site" className="ml-auto flex items-center gap-4 text-muted">
          {(me !== null || areModelsPublic()) && (
            <>
              <Link to="/catalog" className={LINK}>
                Models
              </Link>
              <Link to="/status" className={LINK}>
                Status
              </Link>
            </>
          )}
          <Link to="/docs" className={LINK}>
            Docs
          </Link>
          <a href="/api/docs" className="hover:text-ink max-sm:hidden">
            Management API
          </a>
          {me === null ? (
            <Link to="/sign-in" search={{ next: location.pathname }} className="hover:text-ink">
              Sign in
            </Link>
          ) : (
            <Link to="/" className="hover:text-ink">
              Console
            </Link>
          )}
        </nav>
      </div>
    </header>
  );
}
