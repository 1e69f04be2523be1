/** The examples of `docs/inference/` in Python and Go, run as they stand there. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { codeFor, type Example, examplesIn } from '../support/inference-docs.ts';
import { up } from '../support/shared-up.ts';
import { python } from './install.ts';

const GO = join(import.meta.dirname, 'go');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-examples-'));
  return () => rm(folder, { recursive: true });
});

async function commandOf({ language, title }: Example, code: string): Promise<string[]> {
  if (language === 'python') return [await python('sdks'), '-c', code];
  const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.go`);
  await writeFile(file, code);
  return ['go', 'run', file];
}

test.each(examplesIn('python', 'go'))(
  '$title',
  async (example) => {
    const [program = '', ...args] = await commandOf(example, codeFor(up, example));
    const env = { ...process.env, PENSTOCK_API_KEY: up.first.api_key };
    // In this folder, Go finds the modules of its clients.
    const { stdout } = await promisify(execFile)(program, args, { cwd: GO, env });
    expect(stdout.trim()).toMatch(example.printed);
  },
  300_000,
);
