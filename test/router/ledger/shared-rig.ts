/** A ledger, which all tests of a file share. */
import { afterEach, beforeAll } from 'vitest';
import { Rig } from './rig.ts';

export let rig: Rig;

/**
 * A test file calls this first. The ledger starts before its first test and ends after its last,
 * and the books balance after each.
 */
export function shareRig(): void {
  beforeAll(async () => {
    rig = await Rig.start();
    return () => rig[Symbol.asyncDispose]();
  });
  afterEach(() => rig.check());
}
