/**
 * A ledger for a test file that imports this module. All tests of the file share it, and after each
 * of them the books balance.
 */
import { afterEach, beforeAll } from 'vitest';
import { Rig } from './rig.ts';

export let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
  return () => rig[Symbol.asyncDispose]();
});
afterEach(() => rig.check());
