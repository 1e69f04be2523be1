/**
 * Runs Schemathesis against a running `penstock up`, from docs/openapi.json: `npm run fuzz:api`,
 * with further flags for it after `--`. Schemathesis must be on the PATH: `pip install
 * schemathesis`. PENSTOCK_FUZZ_CALLER is `operator` (the default) or `nobody`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Up } from '../support/up.ts';

const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
const CALLER = process.env['PENSTOCK_FUZZ_CALLER'] === 'nobody' ? 'nobody' : 'operator';
const LEFT_OUT = [
  // A wrong method is a 404 here, on both planes.
  'unsupported_method',
  // JSON Schema cannot express rules between fields, such as a cached price above the full one, or
  // an end before its start.
  'positive_data_acceptance',
  // What belongs to a new object need not exist yet, such as the receipt of a payment that was not
  // paid.
  'ensure_resource_availability',
];

/** Keeps one way to authenticate, because with a token a cookie would be ignored. */
async function writeDocument(file: string): Promise<void> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  for (const operation of Object.values<object>(document.paths).flatMap((path) =>
    Object.values<{ security: object[] }>(path as Record<string, { security: object[] }>),
  )) {
    if (operation.security.length > 0) operation.security = [{ operatorToken: [] }];
  }
  await writeFile(file, JSON.stringify(document));
}

await using up = await Up.start();
const file = join(up.folder, 'openapi.json');
await writeDocument(file);
const token = `Authorization: Bearer ${up.first.operator.token}`;
const flags = ['--url', up.origin, '--checks', 'all', '--exclude-checks', LEFT_OUT.join(',')];
if (CALLER === 'operator') flags.push('--header', token);
const run = spawn('schemathesis', ['run', file, ...flags, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
run.on('error', (error) => {
  process.stderr.write(`${error.message}: install it with "pip install schemathesis"\n`);
});
const [status] = (await once(run, 'close')) as [number | null];
process.exitCode = status ?? 2;
