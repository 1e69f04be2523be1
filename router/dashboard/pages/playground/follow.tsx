/** The page goes along with an answer that is being written, as long as its reader is at the end. */
import { createContext, useCallback, useEffect, useRef } from 'react';

const NEAR_PX = 32;

/** Called after something was written. */
export const Follow = createContext<() => void>(() => {});

export function useFollow(): Readonly<{ follow: () => void; toEnd: () => void }> {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      isAtEnd.current = window.innerHeight + window.scrollY >= scrollHeight - NEAR_PX;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const follow = useCallback(() => {
    if (isAtEnd.current) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, []);
  const toEnd = useCallback(() => {
    isAtEnd.current = true;
    follow();
  }, [follow]);
  return { follow, toEnd };
}
