/** `penstock backup` and `penstock restore`, on the store of a service that serves meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { PENSTOCK, run } from '../bin/run.ts';
import { readStream } from '../support/sse.ts';
import { Up, until, type UsageRow } from '../support/up.ts';
import { ask, CLIENTS, Load } from './acknowledged-load.ts';

const BACKUPS = 3;

async function makeFolder(undo: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-backups-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** How often each request was charged, by its id. */
function chargesIn(file: string): ReadonlyMap<string, number> {
  const database = new BetterSqlite3(file, { readonly: true });
  const rows = database
    .prepare<[], { id: string; charges: number }>(
      `SELECT reference AS id, count(*) AS charges FROM transfers WHERE kind = 'usage' GROUP BY reference`,
    )
    .all();
  database.close();
  return new Map(rows.map(({ id, charges }) => [id, charges]));
}

test('every backup under load has one charge of each answer before it, and a service on it serves the same key', {
  timeout: 180_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const up = undo.use(await Up.start());
  const folder = await makeFolder(undo);
  const load = new Load(up);
  let complete: readonly string[] = [];
  for (let nth = 1; nth <= BACKUPS; nth++) {
    const answered = nth * 20;
    await until(() => load.answered.length > answered, 'more answers');
    complete = [...load.answered];
    const to = join(folder, `${nth}.db`);
    const made = await run(['backup', '--data', up.data, '--to', to, '--json']);
    expect(made, made.stderr).toMatchObject({ status: 0, stderr: '' });
    const charges = chargesIn(to);
    expect(complete.filter((id) => charges.get(id) !== 1)).toEqual([]);
    expect([...charges.values()].every((count) => count === 1)).toBe(true);
    const { transfers, verified } = JSON.parse(made.stdout) as Record<string, unknown>;
    expect(verified).toBe(true);
    expect(Number(transfers)).toBeGreaterThanOrEqual(charges.size);
  }
  await load.stop();
  expect(load.answered.length).toBeGreaterThan(complete.length);
  await up.killAll();

  // The machine is lost. There are the last backup, the secrets and the configuration.
  const data = join(folder, 'data');
  await cp(up.data, data, { recursive: true, filter: (path) => !path.includes('penstock.db') });
  const from = join(folder, `${BACKUPS}.db`);
  const restored = await run(['restore', '--from', from, '--data', data]);
  expect(restored, restored.stderr).toMatchObject({ status: 0, stderr: '' });
  expect(restored.stdout).toContain('What happened after the backup is not in the store');
  const again = undo.use(await Up.start(['--data', data]));
  again.first = { ...again.ready, api_key: up.first.api_key, operator: up.first.operator };
  const organization = up.first.organization.id;
  const charged = (rows: readonly UsageRow[]) => rows.map(({ request_id: id }) => id);
  const rows = charged(await again.usage(organization));
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows).toEqual(expect.arrayContaining([...complete]));
  const seen = await readStream(await ask(again));
  expect(seen.done).toBe(true);
  expect(charged(await again.usage(organization))).toContain(seen.requestId);
  await until(async () => (await again.credit(organization)).held === '0', 'no hold', 90_000);
  const verified = await run(['ledger', 'verify', '--data', data]);
  expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('no difference') });
  process.stdout.write(
    `${BACKUPS} backups beside ${CLIENTS} clients; ${load.answered.length} complete answers, ` +
      `${complete.length} of them before the last backup, each charged once in it\n`,
  );
});

/** Starts a backup and stops it, by SIGSTOP, while it is under way. */
async function stoppedHalfway(data: string, folder: string): Promise<ChildProcess> {
  for (;;) {
    const to = join(folder, 'backup.db');
    await rm(to, { force: true });
    const backup = spawn(PENSTOCK, ['backup', '--data', data, '--to', to], { stdio: 'ignore' });
    const isUnderWay = () => readdirSync(folder).some((name) => name.endsWith('.partial'));
    while (backup.exitCode === null && !isUnderWay()) await new Promise(setImmediate);
    backup.kill('SIGSTOP');
    if (isUnderWay()) return backup;
    backup.kill('SIGKILL');
  }
}

test('a backup that is killed leaves no file under its name, and one that is stopped leaves none at all', async () => {
  await using undo = new AsyncDisposableStack();
  const up = undo.use(await Up.start());
  const folder = await makeFolder(undo);
  const killed = await stoppedHalfway(up.data, folder);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(existsSync(join(folder, 'backup.db'))).toBe(false);

  const other = await makeFolder(undo);
  const stopped = await stoppedHalfway(up.data, other);
  stopped.kill('SIGTERM');
  stopped.kill('SIGCONT');
  expect(await once(stopped, 'exit')).toEqual([1, null]);
  expect(readdirSync(other)).toEqual([]);
  // What a killed backup has left is in the way of no other.
  expect(await run(['backup', '--data', up.data, '--to', join(folder, 'backup.db')])).toMatchObject(
    { status: 0 },
  );
});

test('the commands refuse what they cannot do, and say why', async () => {
  await using undo = new AsyncDisposableStack();
  const up = undo.use(await Up.start());
  const folder = await makeFolder(undo);
  const to = join(folder, 'backup.db');
  const refused = async (status: number, why: string, ...args: string[]) => {
    const { status: ended, stdout, stderr } = await run(args);
    expect({ ended, stdout }, stderr).toEqual({ ended: status, stdout: '' });
    expect(stderr).toContain(why);
    return stderr;
  };
  const nowhere = join(folder, 'none', 'b.db');
  await refused(2, 'no such file or directory', 'backup', '--data', up.data, '--to', nowhere);
  await refused(2, '--to is missing', 'backup', '--data', up.data);
  await refused(2, 'there is no store', 'backup', '--data', folder, '--to', to);
  const url = 'postgres://penstock:secret@127.0.0.1/penstock';
  for (const args of [
    ['backup', '--to', to],
    ['restore', '--from', to],
  ]) {
    const told = await refused(2, 'docs/backup.md has the commands', ...args, '--store', url);
    expect(told).not.toContain('secret@');
  }
  expect(await run(['backup', '--data', up.data, '--to', to])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^\S+backup\.db is the store as of \S+Z: \d+ transfers.*\n.*\nIt does not contain the secrets/,
    ),
  });
  await refused(2, 'exists already', 'backup', '--data', up.data, '--to', to);
  await refused(2, '--replace', 'restore', '--from', to, '--data', up.data);
  const open = 'is open in another process';
  await refused(1, open, 'restore', '--from', to, '--data', up.data, '--replace');
  await up.stop();
  writeFileSync(join(folder, 'noise.db'), 'noise');
  const noise = ['--from', join(folder, 'noise.db'), '--data', up.data, '--replace'];
  await refused(2, 'is not a store of Penstock', 'restore', ...noise);
  expect(await run(['restore', '--from', to, '--data', up.data, '--replace'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('0 more than the restored one'),
  });
  await up.run();
  expect((await readStream(await ask(up))).done).toBe(true);
});
