/**
 * The codes by which refusals are counted: those of the answers, and one more. The key of a
 * suspended organization is not at fault, although the answer has the code of an invalid key.
 */
import type { RefusalCode } from './refusals.ts';

const SUSPENDED = 'organization_suspended';

export type CountedCode = RefusalCode | typeof SUSPENDED;

/** `suspended`: whether the organization was suspended. */
export function countedAs(code: RefusalCode, suspended: boolean): CountedCode {
  return suspended ? SUSPENDED : code;
}

/** The code of the answers that were counted under this one. */
export function answeredCode(counted: string): string {
  return counted === SUSPENDED ? 'invalid_api_key' : counted;
}

/** All codes under which answers with these codes are counted. */
export function countedCodes(answered: readonly RefusalCode[]): readonly CountedCode[] {
  return answered.includes('invalid_api_key') ? [...answered, SUSPENDED] : answered;
}
