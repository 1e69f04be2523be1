/**
 * The examples of `docs/inference/` in curl and TypeScript, run as they stand there.
 * `test/clients/inference-docs.test.ts` runs those in other languages.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeFor, examplesIn } from '../support/inference-docs.ts';
import { up } from '../support/shared-up.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');
const BETWEEN = '--- the next example ---\n';

async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PENSTOCK_API_KEY: up.first.api_key };
  return (await promisify(execFile)(program, args, { env })).stdout;
}

test.concurrent.each(examplesIn('sh'))('$title', async (example) => {
  expect((await run('bash', '-euc', codeFor(up, example))).trim()).toMatch(example.printed);
});

describe('in TypeScript', () => {
  const examples = examplesIn('ts');
  let printed: string[];
  beforeAll(async () => {
    // One process runs all examples, because they load the same packages.
    const folder = await mkdtemp(join(tmpdir(), 'penstock-examples-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    let all = '';
    for (const [nth, example] of examples.entries()) {
      await writeFile(join(folder, `${nth}.ts`), codeFor(up, example));
      const next = JSON.stringify(BETWEEN);
      all += `await import('./${nth}.ts').catch(console.log);\nprocess.stdout.write(${next});\n`;
    }
    await writeFile(join(folder, 'all.mts'), all);
    printed = (await run(process.execPath, join(folder, 'all.mts'))).split(BETWEEN);
    await rm(folder, { recursive: true });
  });

  test.each(examples.map((example, nth) => ({ ...example, nth })))('$title', (example) => {
    expect(printed[example.nth]?.trim()).toMatch(example.printed);
  });
});
