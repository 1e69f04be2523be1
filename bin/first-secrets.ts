/**
 * The secrets of a first run, which the store keeps only as digests. They are written to a private
 * file before the store has them, so that a start that fails does not lose them.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstRun } from '../router/first-run.ts';

function fileIn(data: string): string {
  return join(data, 'first-run.txt');
}

export async function keepFirstSecrets(data: string, firstRun: FirstRun): Promise<void> {
  const file = fileIn(data);
  await rm(file, { force: true });
  await writeFile(file, `${linesOf(firstRun).join('\n')}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Shows the secrets on a terminal, and removes the file. Other output may be stored, so there only
 * the file is named. It is named on every later run, too, until somebody has deleted it: the first
 * run may have failed before it showed anything.
 */
export async function showFirstSecrets(data: string, firstRun: FirstRun | null): Promise<void> {
  const file = fileIn(data);
  if (firstRun && process.stdout.isTTY) {
    print(['These secrets are shown only once:', ...linesOf(firstRun)]);
    await rm(file, { force: true });
  } else if (existsSync(file)) {
    print([
      `The first API key, and the operator's password and token, are in ${file}. Read the file, and then delete it.`,
    ]);
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function linesOf({ apiKey, operator }: FirstRun): string[] {
  return [
    `  API key         ${apiKey}`,
    `  operator        ${operator.email} / ${operator.password}`,
    `  operator token  ${operator.token}`,
  ];
}
