/**
 * A control plane for a test file that imports this module. All tests of the file share it: it
 * starts before the first and ends after the last.
 */
import { beforeAll } from 'vitest';
import { type Rig, startRig } from './rig.ts';

export let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  return () => rig[Symbol.asyncDispose]();
});
