/** A control plane with payments, which all tests of a file share. */
import { afterEach, beforeAll, expect } from 'vitest';
import { type PaymentsRig, startPaymentsRig } from './payments-rig.ts';

export let pay: PaymentsRig;

/**
 * A test file calls this first. The rig starts before its first test and ends after its last, and
 * the books balance after each.
 */
export function sharePayments(): void {
  beforeAll(async () => {
    pay = await startPaymentsRig();
    return () => pay[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    expect(await pay.differences()).toEqual([]);
  });
}
