/**
 * The way of a request for a test file that imports this module. All tests of the file share it: it
 * starts before the first and ends after the last.
 */
import { beforeAll } from 'vitest';
import { RequestRig } from './rig.ts';

export let rig: RequestRig;
beforeAll(async () => {
  rig = await RequestRig.start();
  return () => rig[Symbol.asyncDispose]();
});
