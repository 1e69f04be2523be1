import { useEffect, useState } from 'react';
import { every, now } from '../../clock.ts';

/**
 * How often the page moves the end of its time range to the present. The interval is long enough
 * not to disturb the reader.
 */
const AGAIN_MS = 300_000;

/**
 * Returns the instant at which "the last 24 hours" end, in ms since the epoch, and a function that
 * moves it to now.
 */
export function useAsOf(): readonly [number, () => void] {
  const [asOf, setAsOf] = useState(now);
  useEffect(() => every(AGAIN_MS, () => setAsOf(now())), []);
  return [asOf, () => setAsOf(now())];
}
