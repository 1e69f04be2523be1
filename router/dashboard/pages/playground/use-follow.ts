/** Scrolls the page along with an answer that streams, as long as the reader is at the end. */
import { type RefObject, useEffect, useRef } from 'react';

const NEAR_PX = 32;

type FollowParts = Readonly<{
  /** The element that grows. */
  list: RefObject<HTMLElement | null>;
  /** The id of the last turn. A new turn always scrolls to the end. */
  turn: number;
  /** Hears whether the reader is at the end. Must stay the same function. */
  onEnd: (isAtEnd: boolean) => void;
}>;

export function useFollow({ list, turn, onEnd }: FollowParts): void {
  const isFollowing = useRef(true);
  useEffect(() => {
    let lastY = window.scrollY;
    const look = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.innerHeight + window.scrollY >= scrollHeight - NEAR_PX;
      // The end moves away by itself while text streams, so only scrolling up stops the following.
      if (isAtEnd) isFollowing.current = true;
      else if (window.scrollY < lastY) isFollowing.current = false;
      lastY = window.scrollY;
      onEnd(isAtEnd || isFollowing.current);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      window.removeEventListener('scroll', look);
      onEnd(true);
    };
  }, [onEnd]);
  useEffect(() => {
    // A ResizeObserver runs after the layout of a frame, when reading the height costs nothing.
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

export function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
