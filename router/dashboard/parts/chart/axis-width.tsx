/**
 * The width of the vertical axes of charts that belong together: that of the widest, so that one
 * instant stands at the same place in all of them. It has steps and a minimum, so that the charts
 * seldom move when one of them gets other figures.
 */
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { steppedWidth } from './axis.ts';

type Widths = Readonly<{
  widest: number;
  /** Null: the chart is gone. */
  set: (chart: string, width: number | null) => void;
}>;

const InCommon = createContext<Widths | null>(null);

export function AxisWidths({ children }: { children: ReactNode }) {
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const set = useCallback((chart: string, width: number | null) => {
    setWidths((before) => {
      const after = new Map(before);
      if (width === null) after.delete(chart);
      else after.set(chart, width);
      return after;
    });
  }, []);
  const widest = Math.max(0, ...widths.values());
  const value = useMemo(() => ({ widest, set }), [widest, set]);
  return <InCommon value={value}>{children}</InCommon>;
}

/** `own`: how wide the labels of the chart are, in pixels. */
export function useAxisWidth(own: number): number {
  const chart = useId();
  const common = use(InCommon);
  const set = common?.set;
  const wanted = steppedWidth(own);
  useLayoutEffect(() => {
    set?.(chart, wanted);
    return () => set?.(chart, null);
  }, [set, chart, wanted]);
  return common === null ? own : Math.max(wanted, common.widest);
}
