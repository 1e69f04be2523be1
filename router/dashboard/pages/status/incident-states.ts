import type { Incident } from '../../../../shared/api/incidents.ts';
import type { Tone } from '../../parts/tone.ts';

export const INCIDENT_STATES: Readonly<
  Record<Incident['state'], Readonly<{ tone: Tone; name: string }>>
> = {
  investigating: { tone: 'bad', name: 'Investigating' },
  identified: { tone: 'warn', name: 'Identified' },
  monitoring: { tone: 'accent', name: 'Monitoring' },
  resolved: { tone: 'good', name: 'Resolved' },
};
