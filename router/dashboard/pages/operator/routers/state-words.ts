/** The states of routers in words. */
import type { RouterState } from '../../../../../shared/router-states.ts';
import type { Tone } from '../../../parts/tone.ts';

export const STATE_WORDS: Readonly<Record<RouterState, Readonly<{ tone: Tone; name: string }>>> = {
  healthy: { tone: 'good', name: 'Reporting' },
  draining: { tone: 'warn', name: 'Draining' },
  silent: { tone: 'bad', name: 'Stopped reporting' },
  offline: { tone: 'bad', name: 'Offline' },
  stopped: { tone: 'neutral', name: 'Stopped' },
};
