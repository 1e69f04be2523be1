/**
 * A control plane with payments for a test file that imports this module. All tests of the file
 * share it, and after each of them the books balance.
 */
import { afterEach, beforeAll, expect } from 'vitest';
import { type PaymentsRig, startPaymentsRig } from './payments-rig.ts';

export let pay: PaymentsRig;
beforeAll(async () => {
  pay = await startPaymentsRig();
  return () => pay[Symbol.asyncDispose]();
});
afterEach(async () => {
  expect(await pay.differences()).toEqual([]);
});
