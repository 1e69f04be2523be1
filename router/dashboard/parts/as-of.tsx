/** Figures that are not of now: greyed, with the time that they are of. */
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { When } from './shown.tsx';

/** The classes of figures that are not of now. */
export const OUTDATED = 'text-muted grayscale';

type AsOfProps = Readonly<{
  /** ISO 8601. Null: the figures are of now. */
  at: string | null;
  children: ReactNode;
}>;

export function AsOf({ at, children }: AsOfProps) {
  return (
    <div className={cx('grid gap-2', at !== null && OUTDATED)}>
      {at !== null && (
        <p className="text-xs">
          <AsOfTime at={at} />
        </p>
      )}
      {children}
    </div>
  );
}

/** For a place that has no room for more, beside figures that are greyed. */
export function AsOfTime({ at }: { at: string }) {
  return (
    <>
      As of <When at={at} precision="seconds" />
    </>
  );
}

type Read = Readonly<{ dataUpdatedAt: number; isError: boolean }>;

/**
 * When figures were read that cannot be read again: of several, those that are the oldest. Null: all
 * are of now, or there are none.
 */
export function outdatedAt(...reads: readonly Read[]): string | null {
  const times = reads.flatMap(({ dataUpdatedAt: at, isError }) => (isError && at > 0 ? at : []));
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}
