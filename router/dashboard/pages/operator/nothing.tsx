import type { ReactNode } from 'react';
import { cx } from '../../parts/class-names.ts';

type NothingProps = Readonly<{
  /** A sentence without its full stop. */
  title: string;
  /** In a panel that is flush. */
  flush?: boolean;
  children?: ReactNode;
}>;

/**
 * One line in place of the rows or the charts of a panel. Pages for operators have many panels, and
 * those without anything do not push the others out of view.
 */
export function Nothing({ title, flush = false, children }: NothingProps) {
  return (
    <p className={cx('text-sm text-muted', flush && 'border-t px-5 py-3')}>
      {title}. {children}
    </p>
  );
}
