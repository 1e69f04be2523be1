import { setZone, useZone } from '../zone.ts';
import { Segmented } from './form/segmented.tsx';

const CHOICES = [
  { value: 'local', name: 'Local' },
  { value: 'UTC', name: 'UTC' },
] as const;

/**
 * Whether all times of the dashboard are in the reader's time zone or in UTC. `notOnPhone`: it is left
 * out where a phone has no room beside other choices. The account menu has it, too.
 */
export function ZoneChoice({ notOnPhone = false }: { notOnPhone?: boolean }) {
  return (
    <div className={notOnPhone ? 'max-sm:hidden' : 'contents'}>
      <Segmented label="Time zone" value={useZone()} choices={CHOICES} onChange={setZone} />
    </div>
  );
}
