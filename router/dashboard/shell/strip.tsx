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
  children: ReactNode;
}>;

/** A notice above every page. */
export function Strip({ tone, icon: Icon = TriangleAlert, action, children }: StripProps) {
  return (
    <div
      role="status"
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm sm:px-8',
        TONES[tone],
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">{children}</p>
      {action}
    </div>
  );
}
