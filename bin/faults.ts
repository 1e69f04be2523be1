/** How a command fails: the exit status, and the message for a person. */

/** The command line has an error: exit status 2. Only the message is shown. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The other side refused, or could not be reached: exit status 1. Only the message is shown. */
export class Failed extends Error {
  override name = 'Failed';
}

const AT_FAULT = new Set(['UsageError', 'ConfigError', 'StoreMismatched', 'ZeromqMissing']);
const OURS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Returns 2 for an error in the usage or the configuration, otherwise 1. Errors are recognized by
 * name, because the modules that define them are loaded lazily.
 */
export function statusOf(error: unknown): 1 | 2 {
  const name = error instanceof Error ? error.name : '';
  return AT_FAULT.has(name) ? 2 : 1;
}

/** Returns the text for standard error. A programming error comes with its stack trace. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (OURS.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message;
}
