import { type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../parts/class-names.ts';

const TONES = {
  neutral: 'bg-sunken text-ink',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;

type StripProps = Readonly<{
  tone: keyof typeof TONES;
  icon?: LucideIcon;
  action: ReactNode;
  /** On a phone, the text is beside the action, and never above it. */
  short?: boolean;
  /** Only its place is seen. */
  isWaiting?: boolean;
  children: ReactNode;
}>;

/** A notice above every page. */
export function Strip({
  tone,
  icon: Icon = TriangleAlert,
  action,
  short = false,
  isWaiting = false,
  children,
}: StripProps) {
  return (
    <div
      role="status"
      className={cx(
        'flex items-center gap-x-4 gap-y-2 px-4 text-sm sm:px-8',
        short ? 'py-0.5 max-sm:gap-x-2 sm:flex-wrap sm:py-2.5' : 'flex-wrap py-2.5',
        TONES[tone],
        isWaiting && '[&>*]:invisible',
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      <p className={cx('min-w-0 flex-1', 'wrap-anywhere', short ? 'sm:basis-56' : 'basis-56')}>
        {children}
      </p>
      {action}
    </div>
  );
}
