/**
 * The time zone in which the dashboard shows instants: the reader's own or UTC. The choice is kept
 * in this browser.
 */
import { useSyncExternalStore } from 'react';
import type { Zone } from './format/time.ts';
import { store, stored } from './storage.ts';

const NAME = 'time-zone';

const hearers = new Set<() => void>();

function chosenZone(): Zone {
  return stored(NAME) === 'UTC' ? 'UTC' : 'local';
}

export function setZone(zone: Zone): void {
  store(NAME, zone);
  for (const hear of hearers) hear();
}

export function useZone(): Zone {
  return useSyncExternalStore((hear) => {
    hearers.add(hear);
    // Another tab may have changed the choice.
    window.addEventListener('storage', hear);
    return () => {
      hearers.delete(hear);
      window.removeEventListener('storage', hear);
    };
  }, chosenZone);
}
