/** Finds the programs that the tests of `configs/` run, where they are installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program, or null if it is not installed. */
export function programOf(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
