/**
 * A real `penstock up` for a test file that imports this module. All tests of the file share it: it
 * starts before the first and ends after the last.
 */
import { beforeAll } from 'vitest';
import { Up } from './up.ts';

export let up: Up;
beforeAll(async () => {
  up = await Up.start();
  return () => up[Symbol.asyncDispose]();
});
