/**
 * The time zone in which the dashboard shows instants: the reader's own or UTC. The choice is kept
 * in this browser.
 */
import { useSyncExternalStore } from 'react';
import type { Zone } from './format/time.ts';

const KEPT = 'time-zone';

const hearers = new Set<() => void>();

function chosenZone(): Zone {
  return localStorage.getItem(KEPT) === 'UTC' ? 'UTC' : 'local';
}

export function setZone(zone: Zone): void {
  localStorage.setItem(KEPT, zone);
  for (const hear of hearers) hear();
}

export function useZone(): Zone {
  return useSyncExternalStore((hear) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  }, chosenZone);
}
