/** Which errors of SQLite mean that the store is out of reach, and how an error crosses threads. */
import { ConstraintViolated, StoreUnavailable } from '../errors.ts';

/** An error in a form that crosses threads. `broken`: the connection is not to be trusted any more. */
export type Failure = Readonly<{
  kind: 'unavailable' | 'unique' | 'constraint' | 'thrown';
  broken: boolean;
  message: string;
  stack: string | undefined;
}>;

/** Codes by which SQLite says that it could not reach or keep what it was asked to. */
const UNAVAILABLE =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH)/;
/** Those after which the same connection goes on working. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED)/;

export function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || UNAVAILABLE.test(codeOf(error));
}

export function failureOf(error: unknown): Failure {
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

export function errorOf(failure: Failure): Error {
  const error =
    failure.kind === 'unavailable'
      ? new StoreUnavailable(failure.message)
      : failure.kind === 'thrown'
        ? new Error(failure.message)
        : new ConstraintViolated(failure.message, failure.kind === 'unique' ? 'unique' : 'other');
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
