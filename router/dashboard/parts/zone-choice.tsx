import { setZone, useZone } from '../zone.ts';
import { Segmented } from './segmented.tsx';

const CHOICES = [
  { value: 'local', name: 'Local' },
  { value: 'UTC', name: 'UTC' },
] as const;

/** Whether all times of the dashboard are in the reader's time zone or in UTC. */
export function ZoneChoice() {
  return <Segmented label="Time zone" value={useZone()} choices={CHOICES} onChange={setZone} />;
}
