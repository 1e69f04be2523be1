import { Dash, Money } from '../../parts/shown.tsx';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import type { SpendLine as Line } from './spend-lines.ts';

/** The days in a line. */
export const LINE_DAYS = 30;

/** What a key has spent in the last days: the sum, below a line of the days. */
export function SpendLine({ line }: { line: Line | null | undefined }) {
  if (!line) return <Dash />;
  const most = Math.max(...line.values);
  return (
    <span className="inline-grid justify-items-end gap-0.5 max-md:justify-items-start">
      {most > 0 && (
        <Sparkline values={line.values} slots={LINE_DAYS} most={most} className="h-4 w-20" />
      )}
      <Money amount={line.total} />
    </span>
  );
}
