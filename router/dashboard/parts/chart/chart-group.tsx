/**
 * What the charts of a page have in common: the width of their axes, which of their lines are hidden,
 * and what follows when somebody chooses a time in one of them.
 */
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { AxisWidths } from './axis-width.tsx';
import type { TimeRange } from './chosen-range.ts';

type ChartsInCommon = Readonly<{
  /** The names of the lines that are hidden. */
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
  /** Undefined if nothing follows. It is always the same function. */
  onZoom: ((chosen: TimeRange) => void) | undefined;
  /** Whether a click, or Enter, chooses the time of one bucket. */
  hasClicks: boolean;
}>;

const InCommon = createContext<ChartsInCommon | null>(null);

/** Null for a chart that belongs to no group. */
export function useChartGroup(): ChartsInCommon | null {
  return use(InCommon);
}

type ChartGroupProps = Readonly<{
  onZoom?: (chosen: TimeRange) => void;
  hasClicks?: boolean;
  children: ReactNode;
}>;

export function ChartGroup({ onZoom, hasClicks = false, children }: ChartGroupProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(onZoom);
  useEffect(() => void (latest.current = onZoom));
  const zoom = useCallback((chosen: TimeRange) => latest.current?.(chosen), []);
  const value = { hidden, setHidden, onZoom: onZoom && zoom, hasClicks };
  return (
    <InCommon value={value}>
      <AxisWidths>{children}</AxisWidths>
    </InCommon>
  );
}
