/** Classifies the errors of SQLite. */
import { LogNotSynced, StoreUnavailable } from '../errors.ts';
import type { Failure } from '../threads/failures.ts';

/** `broken`: the connection can no longer be trusted. */
type SqliteFailure = Failure & Readonly<{ broken: boolean }>;

/** Codes by which SQLite reports that it could not run a statement or keep its result. */
const UNAVAILABLE =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH)/;
/** Codes after which the same connection still works. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED)/;

/** Data that does not fit its column, or violates a constraint. */
const OF_THE_DATA = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/;

/**
 * Whether an operation of a batch is itself at fault. Its statements never change: if SQLite
 * rejects them, the fault is in the connection or the file, and every batch would fail in the same
 * way.
 */
export function isOfTheData(error: unknown): boolean {
  const code = codeOf(error);
  return !isUnavailable(error) && (!code.startsWith('SQLITE_') || OF_THE_DATA.test(code));
}

/** Whether what was written may not be on disk, though a later sync can succeed. */
export function isOfSync(error: unknown): boolean {
  return error instanceof LogNotSynced || codeOf(error) === 'SQLITE_IOERR_FSYNC';
}

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || UNAVAILABLE.test(codeOf(error));
}

export function failureOf(error: unknown): SqliteFailure {
  const code = codeOf(error);
  const kind = isUnavailable(error)
    ? 'unavailable'
    : code.startsWith('SQLITE_CONSTRAINT')
      ? /_(UNIQUE|PRIMARYKEY)$/.test(code)
        ? 'unique'
        : 'constraint'
      : 'thrown';
  const message = error instanceof Error ? error.message : String(error);
  return {
    kind,
    broken: kind === 'unavailable' && !PASSING.test(code),
    message: code === '' ? message : `${message} (${code})`,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
