/**
 * `penstock up --store postgres://…`: the same service, on a store that several routers could
 * share.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../bin/run.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

const ASK = {
  model: 'qwen/qwen3-235b-a22b-instruct-2507',
  messages: [{ role: 'user', content: 'Write 20 words.' }],
  stream: true,
  stream_options: { include_usage: true },
};

test('up serves, charges and restarts on PostgreSQL, and refuses the store of another folder', {
  timeout: 60_000,
}, async () => {
  await using server = await PostgresServer.create();
  const store = await server.database('up');
  await using up = await Up.start(['--store', store]);
  expect((await readStream(await up.post('/chat/completions', ASK))).done).toBe(true);
  await up.killAll();
  await up.run();
  const seen = await readStream(await up.post('/chat/completions', ASK));
  expect(seen.done).toBe(true);
  const rows = await up.usage();
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ completion_tokens: seen.usage?.completion_tokens, status: 200 });
  await until(async () => (await up.credit()).held === '0', 'no hold');
  const verified = await run(['ledger', 'verify', '--store', store]);
  expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('no difference') });

  const other = await mkdtemp(join(tmpdir(), 'penstock-other-'));
  const refused = await run(['up', '--port', '0', '--data', other, '--store', store]);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('the store is in use already');
  // The URL may contain a password.
  expect(refused.stderr + up.output).not.toContain('postgres://');
  await rm(other, { recursive: true });
});
