/** A share as a thin bar next to its figure. Screen readers skip the bar and read the figure. */
import { cx } from './class-names.ts';

/** A share above this is shown in the colour of a warning, if it is one. */
const FULL = 0.9;

type MeterProps = Readonly<{
  share: number;
  className?: string;
  /** Whether a high share is a warning, as that of a cap is. */
  warns?: boolean;
}>;

export function Meter({ share, className = 'w-16', warns = true }: MeterProps) {
  const shown = Math.min(1, Math.max(0, share));
  return (
    <svg
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className={cx('h-1 overflow-hidden rounded-full', className)}
      aria-hidden
    >
      <rect width="100" height="4" fill="var(--line)" />
      <rect
        width={shown * 100}
        height="4"
        fill={`var(--${warns && share > FULL ? 'warn' : 'accent'})`}
      />
    </svg>
  );
}
