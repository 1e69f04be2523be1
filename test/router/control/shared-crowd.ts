/**
 * A control plane on a manual clock, with people who sign up, for a test file that imports this
 * module. All tests of the file share it: it starts before the first and ends after the last.
 */
import { beforeAll } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { Crowd } from './browser.ts';
import { type Rig, startRig } from './rig.ts';

export const clock = new ManualClock(Date.now());
export let rig: Rig;
export let crowd: Crowd;
beforeAll(async () => {
  rig = await startRig(clock);
  crowd = new Crowd(rig, clock);
  return () => rig[Symbol.asyncDispose]();
});
