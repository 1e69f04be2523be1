/** The time that was chosen in a chart, and the way back to what was shown before the first choice. */
import { useState } from 'react';

/** The part of an address that chooses a time. */
type ChosenTime = Readonly<{ from?: string | undefined; to?: string | undefined }>;

type Zoomed<Time> = Readonly<{ to: ChosenTime; before: Time }>;

/**
 * `shown`: the time in the address, in full. `onReset` is null unless it was chosen in a chart: a
 * time that was typed or linked cannot be reset. The page must hold this, not the chart, which may be
 * gone if the chosen time has no data.
 */
export function useZoom<Time extends ChosenTime>(
  shown: Time,
  change: (time: Time | ChosenTime) => void,
): Readonly<{
  /** Changes the address to the time that was chosen in the chart. */
  onZoom: (to: ChosenTime) => void;
  onReset: (() => void) | null;
}> {
  const [zoomed, setZoomed] = useState<Zoomed<Time> | null>(null);
  const before = beforeZoom(zoomed, shown);
  return {
    onZoom: (to) => {
      setZoomed({ to, before: before ?? shown });
      change(to);
    },
    onReset: before && (() => change(before)),
  };
}

/** Returns the time before the first choice; null unless the last one is the time that is shown. */
export function beforeZoom<Time extends ChosenTime>(
  zoomed: Zoomed<Time> | null,
  { from, to }: Time,
): Time | null {
  const isShown = zoomed !== null && zoomed.to.from === from && zoomed.to.to === to;
  return isShown ? zoomed.before : null;
}
