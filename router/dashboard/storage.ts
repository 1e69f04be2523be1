/**
 * What this browser stores for the dashboard: choices of the reader, never secrets. A browser may
 * block storage or have no room; a choice then lasts until the page is closed or reloaded.
 */

const notStored = new Map<string, string>();

export function stored(name: string): string | null {
  const value = notStored.get(name);
  if (value !== undefined) return value;
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
    notStored.delete(name);
  } catch {
    notStored.set(name, value);
  }
}
