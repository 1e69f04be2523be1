import type { ReactNode } from 'react';

type BarLayoutProps = Readonly<{
  /** The search, the order and other choices that are always shown. */
  children: ReactNode;
  /** One element with folded filters. */
  filters: ReactNode;
  /** How many are listed, such as "3 organizations". */
  count?: string | undefined;
}>;

/**
 * The bar above a list: its search, order and filters, in one line if they fit. On a phone, the order
 * and the button of the filters are one line.
 */
export function BarLayout({ children, filters, count }: BarLayoutProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:gap-2 max-sm:[&>*]:contents">
      <div className="flex flex-wrap items-center gap-2">{children}</div>
      {filters}
      {count !== undefined && (
        <p className="text-xs text-muted max-sm:block! max-sm:w-full sm:ml-auto" role="status">
          {count}
        </p>
      )}
    </div>
  );
}
