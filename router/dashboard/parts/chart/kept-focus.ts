import { useEffect, useRef } from 'react';

/** A chart of another time is a new element. It takes over the focus after a choice with the keyboard. */
export function useKeptFocus(starts: readonly string[]) {
  const place = useRef<HTMLDivElement>(null);
  const left = useRef<readonly string[] | null>(null);
  useEffect(() => {
    if (left.current === null || left.current === starts || place.current === null) return;
    left.current = null;
    return whenDrawn(place.current, (chart) => {
      if (document.activeElement === document.body) chart.focus();
    });
  }, [starts]);
  return { place, keepFocus: () => void (left.current = starts) };
}

/** A chart is drawn once its place was measured. Returns what stops waiting for it. */
function whenDrawn(place: Element, act: (chart: SVGElement) => void): () => void {
  const drawn = () => {
    const chart = place.querySelector<SVGElement>('svg[tabindex]');
    if (chart === null) return;
    observer.disconnect();
    act(chart);
  };
  const observer = new MutationObserver(drawn);
  observer.observe(place, { childList: true, subtree: true });
  drawn();
  return () => observer.disconnect();
}
