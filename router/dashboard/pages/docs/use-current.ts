import { useEffect, useState } from 'react';

/** How far below the top of the window a heading may be for its section to be the one that is read. */
const LINE_PX = 120;

/**
 * Returns the id of the section that is read: the last of the elements with these `ids`, in their
 * order in the page, that has reached the top of the window. Undefined above the first one. At the
 * end of the page, where the last ones cannot get there, it is the one that the address names, or
 * else the last one that is visible.
 */
export function useCurrent(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const key = ids.join(' ');
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const { innerHeight, scrollY } = window;
      const isAtEnd =
        scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const line = isAtEnd ? innerHeight : LINE_PX;
      const tops = key.split(' ').map((id) => ({
        id,
        top: document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY,
      }));
      const reached = tops.filter(({ top }) => top <= line);
      const named = reached.find(({ id, top }) => top >= 0 && `#${id}` === location.hash);
      setCurrent((isAtEnd ? named : undefined)?.id ?? reached.at(-1)?.id);
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [key]);
  return current;
}
