/**
 * The way around a long page on a phone: a menu of its sections or, on a page without sections, a way
 * back to the top.
 */
import { ArrowUp, ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../parts/form/button.tsx';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';

/** From so many heights of the window on, a page is long. */
const LONG_HEIGHTS = 1.5;

type Way = 'sections' | 'top' | null;

export function SectionsMenu() {
  const way = useWay();
  if (way === null) return null;
  if (way === 'top') {
    return (
      <Button look="ghost" size="small" onClick={toTop}>
        <ArrowUp /> Top
      </Button>
    );
  }
  const trigger = (
    <Button look="ghost" size="small">
      On this page <ChevronDown />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <Sections />
    </Menu>
  );
}

/** The menu is drawn when it opens, and has the sections of then. */
function Sections() {
  const [headings] = useState(() => headingsOf(pageShown()));
  return (
    <>
      <MenuItem onSelect={toTop}>
        <ArrowUp /> Top
      </MenuItem>
      <MenuLine />
      {headings.map((heading, at) => (
        <MenuItem key={`${at} ${heading.textContent}`} onSelect={() => goTo(heading)}>
          <span className="max-w-72 truncate">{heading.textContent}</span>
        </MenuItem>
      ))}
    </>
  );
}

function useWay(): Way {
  const [way, setWay] = useState<Way>(null);
  useEffect(() => {
    const page = pageShown();
    if (page === null) return;
    // In a wide window the bar that has this menu is not shown.
    const narrow = window.matchMedia('(width < 64rem)');
    const look = () => setWay(narrow.matches ? wayAround(page) : null);
    const observer = new ResizeObserver(look);
    observer.observe(page);
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', look);
    };
  }, []);
  return way;
}

function wayAround(page: HTMLElement): Way {
  const { innerHeight, scrollY } = window;
  if (page.offsetHeight < LONG_HEIGHTS * innerHeight) return null;
  if (headingsOf(page).length > 1) return 'sections';
  return scrollY > innerHeight ? 'top' : null;
}

/** The element that the frame has for each page. */
function pageShown(): HTMLElement | null {
  return document.getElementById('content');
}

function headingsOf(page: HTMLElement | null): HTMLElement[] {
  return [...(page?.querySelectorAll('h2') ?? [])].filter(
    (heading) => heading.textContent !== '' && heading.getClientRects().length > 0,
  );
}

function toTop(): void {
  window.scrollTo({ top: 0 });
}

function goTo(heading: HTMLElement): void {
  heading.scrollIntoView();
  // Who goes on with the keyboard goes on there. The menu still returns the focus to its button.
  heading.tabIndex = -1;
  queueMicrotask(() => heading.focus({ preventScroll: true }));
}
