/**
 * The keys of a chart in which a click chooses a bucket. The arrow keys move, which the chart does
 * itself, Enter chooses the time of the bucket, and with Shift the arrow keys choose several.
 */
import { createContext, type KeyboardEvent, use, useState } from 'react';

const Report = createContext<(at: number | null) => void>(() => {});
export const ReportActive = Report.Provider;

/** Returns what to call with the bucket at which the pointer or the keyboard is. */
export function useReportActive(): (at: number | null) => void {
  return use(Report);
}

/** Buckets by their indexes, both included. `from` is where the choice began. */
type Choice = Readonly<{ from: number; to: number }>;

type BucketKeys = Readonly<{
  /** Several buckets that are being chosen. */
  choice: Choice | null;
  report: (at: number | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
}>;

export function useBucketKeys(onChosen: (choice: Choice) => void): BucketKeys {
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  return {
    choice: from === null || at === null ? null : { from, to: at },
    report: setAt,
    onKeyDown: (event) => {
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        setFrom(event.shiftKey ? (from ?? at) : null);
      } else if (event.key === 'Enter' && at !== null) {
        setFrom(null);
        onChosen({ from: from ?? at, to: at });
      } else if (event.key === 'Escape' && from !== null) {
        // It ends this choice, and otherwise leads back from the chosen time.
        event.preventDefault();
        setFrom(null);
      }
    },
    onBlur: () => setFrom(null),
  };
}
