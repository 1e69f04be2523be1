/** Keeps the buttons and the models of a chat at the top of the window while its messages scroll. */
import { type RefObject, useEffect, useState } from 'react';
import { TOP_BAR } from '../../shell/top-bar.ts';

type KeptParts = Readonly<{
  isKept: boolean;
  /** The buttons, in the header of the page. */
  bar: RefObject<HTMLElement | null>;
  lanes: RefObject<HTMLElement | null>;
}>;

/** In px from the top of the window. */
export type KeptPlaces = Readonly<{
  /** Where the header of the page stops, so that its buttons stay. Its title may be above them. */
  header: number;
  /** Below the buttons, where the models stop. */
  below: number;
}>;

/** What stays free above what is kept, and below it. */
export const AIR_PX = 8;

/** Null: nothing is kept. */
export function useKeptBar({ isKept, bar, lanes }: KeptParts): KeptPlaces | null {
  const [places, setPlaces] = useState<KeptPlaces | null>(null);
  useEffect(() => {
    const header = bar.current?.closest('header');
    if (!isKept || !bar.current || !header) return;
    const root = document.documentElement;
    const measure = () => {
      if (!bar.current) return;
      // On a phone, the frame has a bar of its own at the top.
      const frame = document.getElementById(TOP_BAR)?.offsetHeight ?? 0;
      const above = bar.current.getBoundingClientRect().top - header.getBoundingClientRect().top;
      const below = frame + AIR_PX + header.offsetHeight - above;
      setPlaces((now) => {
        const next = { header: frame + AIR_PX - above, below };
        return now?.header === next.header && now.below === next.below ? now : next;
      });
      // What the browser scrolls to, such as the focus, comes below them.
      const models = lanes.current;
      const isStuck = models !== null && getComputedStyle(models).position === 'sticky';
      root.style.scrollPaddingTop = `${below + (isStuck ? models.offsetHeight : 0)}px`;
    };
    const observer = new ResizeObserver(measure);
    for (const one of [header, bar.current, lanes.current, document.getElementById(TOP_BAR)]) {
      // What is kept gets a padding, too.
      if (one) observer.observe(one, { box: 'border-box' });
    }
    return () => {
      observer.disconnect();
      root.style.scrollPaddingTop = '';
      setPlaces(null);
    };
  }, [isKept, bar, lanes]);
  return places;
}
