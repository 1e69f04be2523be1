import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Button } from './form/button.tsx';

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
  /** Gives the notice a cross at its edge. */
  onDismiss?: () => void;
}>;

/** A notice at the top of a page: what has happened, and what to do about it. */
export function Notice({ tone = 'neutral', title, children, action, onDismiss }: NoticeProps) {
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
      {(action !== undefined || onDismiss) && (
        <div className={cx('flex shrink-0 items-center gap-2', onDismiss && 'max-sm:grow')}>
          {action}
          {onDismiss && (
            <Button
              look="ghost"
              size="small"
              square
              aria-label="Dismiss"
              className="ml-auto"
              onClick={onDismiss}
            >
              <X />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
