/** The page goes along with an answer that is being written, as long as its reader is at the end. */
import { type RefObject, useEffect, useRef } from 'react';

const NEAR_PX = 32;

/** `list` is what grows; at a new `turn` its end is shown in any case. */
export function useFollow(list: RefObject<HTMLElement | null>, turn: number): void {
  const isFollowing = useRef(true);
  useEffect(() => {
    let lastY = window.scrollY;
    const look = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.innerHeight + window.scrollY >= scrollHeight - NEAR_PX;
      // The end moves away by itself: only who scrolls up does not want to see it.
      if (isAtEnd) isFollowing.current = true;
      else if (window.scrollY < lastY) isFollowing.current = false;
      lastY = window.scrollY;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    // Told after the layout of a frame: asking for the height then costs nothing.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) toEnd();
    });
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [list]);
  const shown = useRef(0);
  useEffect(() => {
    if (shown.current === turn) return;
    shown.current = turn;
    isFollowing.current = true;
    toEnd();
  }, [turn]);
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
