import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

const TONES = {
  neutral: ['bg-sunken', 'text-ink'],
  good: ['bg-good-soft', 'text-good'],
  warn: ['bg-warn-soft', 'text-warn'],
  bad: ['bg-bad-soft', 'text-bad'],
} as const;

type NoticeProps = Readonly<{
  tone?: keyof typeof TONES;
  title: ReactNode;
  children?: ReactNode;
  /** A button or a link, at the right. */
  action?: ReactNode;
}>;

/** A notice at the top of a page: what has happened, and what to do about it. */
export function Notice({ tone = 'neutral', title, children, action }: NoticeProps) {
  const [ground, ink] = TONES[tone];
  return (
    <div
      className={cx(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg px-4 py-3 text-sm',
        ground,
      )}
    >
      <div className="grid min-w-0 flex-[1_1_16rem] gap-0.5">
        <p className={cx('font-medium', ink)}>{title}</p>
        {children !== undefined && <div>{children}</div>}
      </div>
      {action !== undefined && (
        // On a phone, the cross stands at the edge, and not between the buttons and nothing.
        <div className="flex shrink-0 items-center gap-2 max-sm:has-[[aria-label=Dismiss]]:grow max-sm:has-[[aria-label=Dismiss]]:justify-between">
          {action}
        </div>
      )}
    </div>
  );
}
