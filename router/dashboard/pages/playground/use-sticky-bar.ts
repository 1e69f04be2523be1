/** Keeps the buttons and the models of a chat at the top of the window while its messages scroll. */
import { type RefObject, useEffect, useState } from 'react';
import { TOP_BAR } from '../../shell/top-bar.ts';

type StickyParts = Readonly<{
  isSticky: boolean;
  /** The buttons, in the header of the page. */
  bar: RefObject<HTMLElement | null>;
  lanes: RefObject<HTMLElement | null>;
}>;

/** In px from the top of the window. */
type StickyPlaces = Readonly<{
  /** Where the header of the page stops, so that its buttons stay. Its title may be above them. */
  header: number;
  /** Below the buttons, where the models stop. */
  below: number;
}>;

/** The space above the sticky parts, and below them. */
export const GAP_PX = 8;

/** Null: nothing is sticky. */
export function useStickyBar({ isSticky, bar, lanes }: StickyParts): StickyPlaces | null {
  const [places, setPlaces] = useState<StickyPlaces | null>(null);
  useEffect(() => {
    const header = bar.current?.closest('header');
    if (!isSticky || !bar.current || !header) return;
    const root = document.documentElement;
    const measure = () => {
      if (!bar.current) return;
      // On a phone, the frame has a bar of its own at the top.
      const frame = document.getElementById(TOP_BAR)?.offsetHeight ?? 0;
      const above = bar.current.getBoundingClientRect().top - header.getBoundingClientRect().top;
      const below = frame + GAP_PX + header.offsetHeight - above;
      setPlaces((now) => {
        const next = { header: frame + GAP_PX - above, below };
        return now?.header === next.header && now.below === next.below ? now : next;
      });
      // The browser scrolls to a place below them, for example to the focus.
      const models = lanes.current;
      const isStuck = models !== null && getComputedStyle(models).position === 'sticky';
      root.style.scrollPaddingTop = `${below + (isStuck ? models.offsetHeight : 0)}px`;
    };
    const observer = new ResizeObserver(measure);
    for (const one of [header, bar.current, lanes.current, document.getElementById(TOP_BAR)]) {
      // The sticky parts get a padding, too.
      if (one) observer.observe(one, { box: 'border-box' });
    }
    return () => {
      observer.disconnect();
      root.style.scrollPaddingTop = '';
      setPlaces(null);
    };
  }, [isSticky, bar, lanes]);
  return places;
}
