import { REFUSALS, type RefusalCode } from '../../../../shared/refusals.ts';

/** The HTTP status of an error code, by which people look for it. */
export function statusWords(code: string): readonly string[] {
  if (!Object.hasOwn(REFUSALS, code)) return [];
  return [String(REFUSALS[code as RefusalCode].status)];
}
