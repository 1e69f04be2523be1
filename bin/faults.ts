/** How a command fails: the exit status, and what a person is told. */

/** The command line is at fault: exit status 2, and the message is all that is shown. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The other side said no, or could not be reached: exit status 1, and the message is all that is shown. */
export class Failed extends Error {
  override name = 'Failed';
}

const AT_FAULT = new Set(['UsageError', 'ConfigError', 'StoreMismatched']);
const OURS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** 2 where the usage or the configuration is at fault, else 1. By name: the daemons are loaded lazily. */
export function statusOf(error: unknown): 1 | 2 {
  const name = error instanceof Error ? error.name : '';
  return AT_FAULT.has(name) ? 2 : 1;
}

/** What standard error shows; a mistake of ours comes with where it happened. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (OURS.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message;
}
