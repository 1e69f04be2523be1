/** The way of a request, which all tests of a file share. */
import { beforeAll } from 'vitest';
import { RequestRig } from './rig.ts';

export let rig: RequestRig;

/** A test file calls this first. The rig starts before its first test and ends after its last. */
export function shareRig(): void {
  beforeAll(async () => {
    rig = await RequestRig.start();
    return () => rig[Symbol.asyncDispose]();
  });
}
