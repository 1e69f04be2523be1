/** What the operating system reports when it refuses an operation on a file or a socket. */
import { getSystemErrorMessage } from 'node:util';

/**
 * Returns a text such as "no such file or directory (ENOENT)". Unlike the message of the error, it
 * names no path. For other errors, returns their message.
 */
export function systemFault(error: unknown): string {
  // A host with several addresses was tried at each of them.
  if (error instanceof AggregateError) return systemFault(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === undefined || errno === undefined) return error.message;
  return `${getSystemErrorMessage(errno)} (${code})`;
}

/** Waits for an operation. Returns what `systemFault` says of its failure; null if it succeeded. */
export async function faultOf(operation: Promise<unknown>): Promise<string | null> {
  try {
    await operation;
    return null;
  } catch (error) {
    return systemFault(error);
  }
}
