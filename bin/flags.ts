/** Checks commander's flags against a schema. One message names every error. */
import { z } from 'zod';
import { UsageError } from './faults.ts';

/** The path of a file or a folder. */
export const Path = z.string().min(1, 'is empty');

export const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port from 0 to 65535')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a port from 0 to 65535');

/** Parses flags, ignoring unknown ones. Throws UsageError, which names every error. */
export function checkFlags<Flags extends z.ZodType>(
  schema: Flags,
  flags: unknown,
): z.output<Flags> {
  const parsed = schema.safeParse(flags, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    // A message of the API's schemas is a sentence; a message of a flag continues its name.
    const colon = /^[A-Z]/.test(message) ? ':' : '';
    return `${flagName(String(path[0] ?? ''))}${colon} ${message}`;
  });
  throw new UsageError(faults.join('\n'));
}

/**
 * Returns the name of a flag on the command line: `readyFile` is `--ready-file`. A name in capitals
 * is an environment variable.
 */
function flagName(name: string): string {
  if (name === name.toUpperCase()) return name;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
