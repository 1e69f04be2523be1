/** Flags as commander leaves them, checked against a schema: every fault is named at once. */
import { z } from 'zod';
import { UsageError } from './faults.ts';

export const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'is a port from 0 to 65535')
  .transform(Number)
  .refine((port) => port <= 65_535, 'is a port from 0 to 65535');

/** Throws UsageError. Flags that the schema does not name are somebody else's. */
export function checkFlags<Flags extends z.ZodType>(
  schema: Flags,
  flags: unknown,
): z.output<Flags> {
  const parsed = schema.safeParse(flags, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `${flagName(String(path[0] ?? ''))} ${message}`,
  );
  throw new UsageError(faults.join('\n'));
}

/** `readyFile` is `--ready-file`; a name in capitals is an environment variable. */
function flagName(name: string): string {
  if (name === name.toUpperCase()) return name;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
