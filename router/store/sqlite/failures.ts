/** Which errors of SQLite mean that the store is out of reach. */
import { StoreUnavailable } from '../errors.ts';
import type { Failure } from '../threads/failures.ts';

/** `broken`: the connection is not to be trusted any more. */
type SqliteFailure = Failure & Readonly<{ broken: boolean }>;

/** Codes by which SQLite says that it could not reach or keep what it was asked to. */
const UNAVAILABLE =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH)/;
/** Those after which the same connection goes on working. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED)/;

export function isUnavailable(error: unknown): boolean {
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
