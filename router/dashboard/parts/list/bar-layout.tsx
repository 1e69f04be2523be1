import type { ReactNode } from 'react';

type BarLayoutProps = Readonly<{
  /** The search, the order and other choices that are always shown. */
  children: ReactNode;
  /** One element with folded filters. */
  filters: ReactNode;
}>;

/**
 * The bar above a list: its search and order, and its filters below them. On a phone, the order and
 * the button of the filters are one line.
 */
export function BarLayout({ children, filters }: BarLayoutProps) {
  return (
    <div className="grid gap-3 max-sm:flex max-sm:flex-wrap max-sm:gap-2 max-sm:[&>*]:contents">
      <div className="flex flex-wrap items-center gap-2">{children}</div>
      {filters}
    </div>
  );
}
