/** What happened in the time of the charts, the newest first. */
import { cx } from '../../../parts/class-names.ts';
import type { Mark } from '../../../parts/chart/series.ts';
import { When } from '../../../parts/shown.tsx';
import { newestFirst } from './marks.ts';

const LISTED_MAX = 6;
const DOTS = { neutral: 'bg-muted', warn: 'bg-warn', bad: 'bg-bad' } as const;

type MarkListProps = Readonly<{
  marks: readonly Mark[];
  /** ISO 8601. */
  start: string;
  /** Undefined: up to now. */
  end: string | undefined;
}>;

export function MarkList({ marks, start, end }: MarkListProps) {
  const within = marks
    .filter(({ at }) => at >= start && (end === undefined || at < end))
    .toSorted(newestFirst);
  if (within.length === 0) return null;
  const more = within.length - LISTED_MAX;
  return (
    <ul aria-label="Events in this time" className="grid gap-1 text-xs">
      {within.slice(0, LISTED_MAX).map(({ at, text, tone }) => (
        <li key={`${at} ${text}`} className="flex items-baseline gap-2">
          <span aria-hidden className={cx('size-1.5 shrink-0 rounded-full', DOTS[tone])} />
          <span className="shrink-0 text-muted">
            <When at={at} />
          </span>
          <span className="min-w-0 wrap-anywhere">{text}</span>
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {more} earlier</li>}
    </ul>
  );
}
