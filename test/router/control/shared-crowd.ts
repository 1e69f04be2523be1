/** A control plane on a manual clock, with people who sign up, which all tests of a file share. */
import { beforeAll } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { Crowd } from './browser.ts';
import { type Rig, startRig } from './rig.ts';

export let clock: ManualClock;
export let rig: Rig;
export let crowd: Crowd;

/** A test file calls this first. The rig starts before its first test and ends after its last. */
export function shareCrowd(): void {
  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    rig = await startRig(clock);
    crowd = new Crowd(rig, clock);
    return () => rig[Symbol.asyncDispose]();
  });
}
