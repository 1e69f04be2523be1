/**
 * The dark or light theme: the reader's choice, kept in this browser, or else the system's.
 * `public/theme.js` sets it before the first paint.
 */
import { useSyncExternalStore } from 'react';
import { store } from '../storage.ts';

export type Theme = 'light' | 'dark';

const hearers = new Set<() => void>();

export function setTheme(theme: Theme): void {
  store('theme', theme);
  document.documentElement.dataset['theme'] = theme;
  for (const hear of hearers) hear();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    () => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'),
  );
}
