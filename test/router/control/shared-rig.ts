/** A control plane, which all tests of a file share. */
import { beforeAll } from 'vitest';
import { type Rig, startRig } from './rig.ts';

export let rig: Rig;

/** A test file calls this first. The rig starts before its first test and ends after its last. */
export function shareRig(): void {
  beforeAll(async () => {
    rig = await startRig();
    return () => rig[Symbol.asyncDispose]();
  });
}
