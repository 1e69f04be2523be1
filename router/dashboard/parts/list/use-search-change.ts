import { useNavigate } from '@tanstack/react-router';
import type { Raw } from '../../search-values.ts';

/** The values are checked when the address is read, so that a choice may pass any text. */
type Change<Search> = Readonly<{ [Name in keyof Search]?: string | boolean | undefined }>;

/**
 * Returns a function that changes parameters of the page's address. It starts from the newest
 * address, which may not be rendered yet, so that of two changes at once both count. `read` reads
 * the parameters that change; the others stay. A change that depends on the others is a function of
 * them. `replaces`: whether going back skips the address before the change.
 */
export function useSearchChange<Search extends object>(
  read: (raw: Raw) => Search,
  { replaces = true }: Readonly<{ replaces?: boolean }> = {},
): (change: Change<Search> | ((before: Search) => Change<Search>)) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      search: ((before: Raw) => {
        const known = read(before);
        const next = typeof change === 'function' ? change(known) : { ...known, ...change };
        const wanted = read(next);
        // The order of the parameters is always the same.
        return { ...wanted, ...before, ...wanted };
      }) as never,
      replace: replaces,
      resetScroll: false,
    });
}
