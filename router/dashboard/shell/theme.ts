/**
 * The dark or light theme: the reader's choice, kept in this browser, or else the system's.
 * `public/theme.js` sets it before the first paint.
 */
import { useSyncExternalStore } from 'react';
import { store, stored } from '../storage.ts';

type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

/** As in `public/theme.js`. */
const NAME = 'theme';

const hearers = new Set<() => void>();
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
systemIsDark.addEventListener('change', () => {
  if (chosenTheme() === 'system') show(systemTheme());
});

// Another tab may have changed the choice. Without a key, it has cleared the storage.
window.addEventListener('storage', ({ key }) => {
  if (key === NAME || key === null) show(themeOf(chosenTheme()));
});

export function setTheme(choice: ThemeChoice): void {
  store(NAME, choice);
  show(themeOf(choice));
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  for (const hear of hearers) hear();
}

function themeOf(choice: ThemeChoice): Theme {
  return choice === 'system' ? systemTheme() : choice;
}

function systemTheme(): Theme {
  return systemIsDark.matches ? 'dark' : 'light';
}

function chosenTheme(): ThemeChoice {
  const chosen = stored(NAME);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** What the reader has chosen, for the control that shows it. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(hearing, chosenTheme);
}

export function useTheme(): Theme {
  return useSyncExternalStore(hearing, () =>
    document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
  );
}

function hearing(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}
