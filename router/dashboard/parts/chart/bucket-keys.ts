/**
 * The keys of a chart. The arrow keys move, which the chart does itself. Where a click chooses a
 * bucket, Enter chooses the time of the bucket, and with Shift the arrow keys choose several.
 */
import { createContext, type KeyboardEvent, use, useRef, useState } from 'react';

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
  onPointerMove: () => void;
  onPointerLeave: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
}>;

export function useBucketKeys(onChosen: (choice: Choice) => void): BucketKeys {
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  /** Whether the pointer has moved over the chart since a key was pressed: it shows its bucket. */
  const hasPointer = useRef(false);
  return {
    choice: from === null || at === null ? null : { from, to: at },
    report: setAt,
    onPointerMove: () => void (hasPointer.current = true),
    onPointerLeave: () => void (hasPointer.current = false),
    onKeyDown: (event) => {
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        // The choice does not begin at the bucket of the pointer, from which the keys do not move.
        setFrom(event.shiftKey && !hasPointer.current ? (from ?? at) : null);
        hasPointer.current = false;
        leavePointer(event.currentTarget);
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

/**
 * A chart shows the bucket of a pointer that rests over it, whatever the keys do. Once it is told
 * that the pointer has left, it shows the bucket of the keys, until the pointer moves again.
 */
function leavePointer(place: Element): void {
  const left = new MouseEvent('mouseout', { bubbles: true, relatedTarget: place });
  place.querySelector('.recharts-wrapper')?.dispatchEvent(left);
}
