import { useEffect, useState } from 'react';
import { every, now } from '../../clock.ts';

/** So often the page moves on by itself: a list that somebody reads is not pulled away each minute. */
const AGAIN_MS = 300_000;

/** The instant that "the last 24 hours" are counted from, and what brings it up to now. */
export function useAsOf(): readonly [number, () => void] {
  const [asOf, setAsOf] = useState(now);
  useEffect(() => every(AGAIN_MS, () => setAsOf(now())), []);
  return [asOf, () => setAsOf(now())];
}
