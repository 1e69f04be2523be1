/** The operator's commands on the store itself: operators, secrets and shared settings. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from './run.ts';

// Each command is a process that opens a store.
vi.setConfig({ testTimeout: 180_000 });

async function makeFolder(undo: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-operator-'));
  undo.defer(() => rm(folder, { recursive: true }));
  return folder;
}

test('an operator is made on an empty store, listed, given another token, and stays while it is the last', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await makeFolder(undo);
  const store = ['--store', `sqlite:${join(folder, 'penstock.db')}`];
  const on = [...store, '--secrets', join(folder, 'secrets.json')];
  const grace = ['--email', 'grace@example.com'];
  const made = await run(['operator', 'create', ...on, ...grace, '--json']);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const { id, token, password } = JSON.parse(made.stdout);
  expect([token, password]).toEqual([expect.stringMatching(/^penstock-op-/), expect.any(String)]);
  expect(await run(['operator', 'create', ...on, ...grace])).toMatchObject({ status: 2 });
  const listed = await run(['operator', 'list', ...store, '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, email: 'grace@example.com' }]);
  expect(listed.stdout).not.toContain(token);
  const rotated = JSON.parse(
    (await run(['operator', 'rotate-token', ...on, ...grace, '--json'])).stdout,
  );
  expect(rotated).toEqual({ id, token: expect.not.stringContaining(token) });
  const last = await run(['operator', 'revoke', ...on, ...grace]);
  expect(last).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the last administrator'),
  });
  const other = [...store, '--secrets', join(folder, 'other.json')];
  const refused = await run(['operator', 'create', ...other, '--email', 'b@example.com']);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('in use already') });
});

test('a router that differs from its fleet does not start, and says how to change the fleet', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await makeFolder(undo);
  const secrets = join(folder, 'secrets.json');
  const settings = {
    listeners: [{ port: 0, region: 'global' }],
    metrics: { port: 0 },
    store: `sqlite:${join(folder, 'penstock.db')}`,
    catalog: join(folder, 'catalog.yaml'),
    secrets,
  };
  const file = async (name: string, more: object = {}) => {
    await writeFile(join(folder, name), JSON.stringify({ ...settings, ...more }));
    return join(folder, name);
  };
  const fleet = await file('fleet.yaml');
  const other = await file('other.yaml', { holdTtlMs: 5_000 });
  const founded = ['--store', settings.store, '--secrets', secrets, '--email', 'a@example.com'];
  expect(await run(['operator', 'create', ...founded])).toMatchObject({ status: 0 });
  expect(await run(['fleet', 'settings', '--config', fleet, '--accept'])).toMatchObject({
    status: 0,
  });
  const refused = await run(['router', '--config', other]);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('holdTtlMs is 5000 here, and 30000 in the fleet');
  expect(await run(['fleet', 'settings', '--config', other])).toMatchObject({ status: 1 });
  expect(await run(['fleet', 'settings', '--config', other, '--accept'])).toMatchObject({
    status: 0,
  });
  expect(await run(['fleet', 'settings', '--config', other])).toMatchObject({ status: 0 });
  const before = await readFile(secrets, 'utf8');
  expect(await run(['secrets', 'rotate-pepper', '--secrets', secrets])).toMatchObject({
    status: 0,
  });
  expect(JSON.parse(await readFile(secrets, 'utf8'))).toMatchObject({
    ...JSON.parse(before),
    peppers: [expect.any(String)],
  });
  const on = ['--store', settings.store, '--secrets', secrets];
  const status = await run(['secrets', 'status', ...on, '--json']);
  expect(JSON.parse(status.stdout)).toContainEqual(
    expect.objectContaining({ table: 'operator_tokens', rows: 1 }),
  );
});
