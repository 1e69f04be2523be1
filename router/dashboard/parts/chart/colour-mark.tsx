import { cx } from '../class-names.ts';

/** A small square of a colour, before the name of what has it. */
export function ColourMark({ colour, isFaint = false }: { colour: string; isFaint?: boolean }) {
  return (
    <svg viewBox="0 0 8 8" className={cx('size-2 shrink-0', isFaint && 'opacity-30')} aria-hidden>
      <rect width="8" height="8" rx="2" fill={colour} />
    </svg>
  );
}
