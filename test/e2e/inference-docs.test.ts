/**
 * The examples of `docs/inference/` in curl and TypeScript, run as they stand there.
 * `test/clients/inference-docs.test.ts` runs those in other languages.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { codeFor, type Example, examplesIn } from '../support/inference-docs.ts';
import { up } from '../support/shared-up.ts';

const ROOT = join(import.meta.dirname, '../..');

function commandOf({ language }: Example, code: string): [string, ...string[]] {
  if (language === 'sh') return ['bash', '-euc', code];
  // From here, imports find the packages of the project.
  return [process.execPath, '--input-type=module-typescript', '--eval', code];
}

test.concurrent.each(examplesIn('sh', 'ts'))('$title', async (example) => {
  const [program, ...args] = commandOf(example, codeFor(up, example));
  const env = {
    ...process.env,
    PENSTOCK_API_KEY: up.first.api_key,
    // The examples load the same packages.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/penstock'),
  };
  const { stdout } = await promisify(execFile)(program, args, { cwd: ROOT, env });
  expect(stdout.trim()).toMatch(example.printed);
});
