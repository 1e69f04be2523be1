/**
 * Scrolls to the element that the address names. It is there only once the page is loaded. It moves
 * when the font arrives, because lines then break elsewhere, so it is scrolled to again unless the
 * reader has scrolled meanwhile.
 */
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

export function ScrollToHash() {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    // The names are ASCII, so the fragment is taken as it stands.
    const named = hash === '' ? null : document.getElementById(hash);
    named?.scrollIntoView();
    const { scrollY } = window;
    void document.fonts.ready.then(() => {
      if (window.scrollY === scrollY) named?.scrollIntoView();
    });
  }, [hash]);
  return null;
}
