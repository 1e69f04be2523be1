/** The header that visitors see: the documentation, the models, their status, and the way in. */
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { areModelsPublic } from '../api/public-figures.ts';
import { Button } from '../parts/form/button.tsx';
import { cx } from '../parts/class-names.ts';
import { isSignUpOpen } from '../service.ts';
import { Mark } from './mark.tsx';
import { PALETTE_KEYS, PALETTE_KEYS_TEXT } from './palette/palette-button.tsx';
import { usePalette } from './palette/use-palette.tsx';

const LINK = 'hover:text-ink data-[status=active]:text-ink';

/** `wide`: as wide as a page that uses the whole window. */
export function SiteHeader({ wide = false }: { wide?: boolean }) {
  const [palette, search] = usePalette({ isStranger: true, organization: null });
  return (
    <header className="sticky top-0 z-30 border-b bg-ground">
      <div
        className={cx(
          'mx-auto flex h-12 items-center gap-4 px-4 text-sm sm:px-8',
          wide ? 'max-w-[88rem]' : 'max-w-6xl',
        )}
      >
        <Link to="/" className="flex items-center gap-2.5 font-semibold">
          <Mark /> <span className="max-sm:sr-only">Penstock</span>
        </Link>
        <nav
          aria-label="Site"
          className="ml-auto flex shrink-0 items-center gap-3 text-muted sm:gap-4"
        >
          <button
            type="button"
            onClick={search}
            aria-label="Search"
            aria-keyshortcuts={PALETTE_KEYS}
            title={`Search (${PALETTE_KEYS_TEXT})`}
            className="rounded-md p-1 hover:bg-hover hover:text-ink"
          >
            <Search className="size-4" aria-hidden />
          </button>
          {areModelsPublic() && (
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
          <Enter />
        </nav>
      </div>
      {palette}
    </header>
  );
}

/** Where accounts are by invitation, nobody can create one here. */
function Enter() {
  return (
    <>
      <Link
        to="/sign-in"
        // Who signs in on the first page goes to their own, whose address it is, too.
        search={location.pathname === '/' ? {} : { next: location.pathname }}
        className="hover:text-ink"
      >
        Sign in
      </Link>
      {isSignUpOpen() && (
        <Button asChild size="small" look="primary" className="max-[28rem]:hidden">
          <Link to="/sign-up">Create account</Link>
        </Button>
      )}
    </>
  );
}
