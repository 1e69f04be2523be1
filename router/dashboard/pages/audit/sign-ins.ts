/** Sign-ins in the log of the platform. */
import type { AuditSearch } from '../../search.ts';
import { valuesOf } from '../../search-values.ts';

/** Refused attempts are not among them. */
const SIGN_INS = ['session.begin', 'session.end'] as const;

/** The actions that the log of the platform leaves out, because most entries are of them. */
export function leftOutOf({ kind, sign_ins: shown }: AuditSearch): readonly string[] {
  return shown === 'shown' || valuesOf(kind).includes('session') ? [] : SIGN_INS;
}
