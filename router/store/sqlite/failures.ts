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

/** What data does that does not fit its column, or breaks a rule of the schema. */
const OF_THE_DATA = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/;

/**
 * Whether an operation of a lane is itself at fault. A lane's statements are always the same few: where SQLite
 * objects to them, it is the connection or what stands in the file, and every batch would fail in the same way.
 */
export function isOfTheData(error: unknown): boolean {
  const code = codeOf(error);
  return !isUnavailable(error) && (!code.startsWith('SQLITE_') || OF_THE_DATA.test(code));
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
