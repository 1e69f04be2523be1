/** Runs the commands of docs/backup.md on a PostgreSQL server that serves meanwhile. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { run } from '../bin/run.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { ask, Load } from './acknowledged-load.ts';

/** The tests' own PostgreSQL has no tools, and tools of one version refuse a later server. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').find((folder) =>
  ['postgres', 'initdb', 'pg_basebackup', 'pg_dump', 'pg_restore'].every((name) =>
    existsSync(join(folder, name)),
  ),
);
const PAGE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');

/** Returns the code block under a heading of the page that contains `word`. */
function fromPage(heading: string, word: string): string {
  const section = PAGE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code]) => code as string);
  const found = blocks.find((code) => code.includes(word));
  if (found === undefined) throw new Error(`"${heading}" has no block with ${word}`);
  return found;
}

/** The settings of a block of postgresql.conf, with another folder for the backups. */
function settingsIn(block: string, backups: string): Record<string, string> {
  const lines = [...block.matchAll(/^(\w+) = '?(.*?)'?$/gm)];
  return Object.fromEntries(
    lines.map(([, name, value]) => [
      name as string,
      (value as string).replaceAll('/backup', backups),
    ]),
  );
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function chargesIn(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ id: string; charges: number }>(
    url,
    `SELECT reference AS id, count(*)::int AS charges FROM transfers WHERE kind = 'usage' GROUP BY reference`,
  );
  return new Map(rows.map(({ id, charges }) => [id, charges]));
}

/** Checks that a store has one charge of each of these requests, no other twice, and clean books. */
async function expectWhole(store: string, answered: readonly string[]): Promise<number> {
  const charges = await chargesIn(store);
  expect(answered.filter((id) => charges.get(id) !== 1)).toEqual([]);
  expect([...charges.values()].every((count) => count === 1)).toBe(true);
  const verified = await run(['ledger', 'verify', '--store', store]);
  expect(verified, verified.stderr).toMatchObject({ status: 0 });
  return charges.size;
}

async function startRecovered(data: string): Promise<PostgresServer> {
  const server = await PostgresServer.on(data, { programs: PROGRAMS as string });
  const isDone = async () => {
    const [row] = await query<{ recovering: boolean }>(
      server.url(),
      'SELECT pg_is_in_recovery() AS recovering',
    );
    return row?.recovering === false;
  };
  await until(isDone, 'the end of the recovery', 60_000);
  return server;
}

test.skipIf(PROGRAMS === undefined)(
  'after a crash, the commands of the page restore every acknowledged answer, a point in time, and a dump',
  { timeout: 300_000 },
  async () => {
    await using undo = new AsyncDisposableStack();
    const first = fromPage('PostgreSQL', 'archive_command');
    const folder = await mkdtemp(join(tmpdir(), 'penstock-backups-'));
    undo.defer(() => rm(folder, { recursive: true }));
    // The server may run as another user.
    await chmod(folder, 0o777);
    const BACKUP = join(folder, 'backup');
    const settings = settingsIn(first, BACKUP);
    const server = undo.use(
      await PostgresServer.create({ programs: PROGRAMS as string, settings }),
    );
    await server.shell('mkdir -p "$BACKUP/wal"', { BACKUP });
    const store = await server.database('penstock');
    const up = undo.use(await Up.start(['--store', store]));
    const load = new Load(up);
    const more = (count: number) => {
      const target = load.answered.length + count;
      return until(() => load.answered.length >= target, 'more answers', 60_000);
    };

    await more(20);
    await server.shell(fromPage('PostgreSQL', 'pg_basebackup'), { STORE: store, BACKUP });
    await more(20);
    const atTime = [...load.answered];
    const [time] = await query<{ now: string }>(store, 'SELECT clock_timestamp()::text AS now');
    await more(20);
    const atDump = [...load.answered];
    const dump = fromPage('A copy of the database alone', 'pg_dump');
    await server.shell(dump, { STORE: store, BACKUP });
    await more(20);
    // The machine crashes in the middle of answers.
    const ended = load.stop();
    await Promise.all([server.kill(), up.killAll()]);
    await ended;
    const acknowledged = load.answered;

    const newest = join(folder, 'newest');
    const env = { BACKUP, PGDATA: newest, OLD_PGDATA: server.data };
    await server.shell(fromPage('Restore to the newest state', 'recovery.signal'), env);
    const recovered = undo.use(await startRecovered(newest));
    const all = await expectWhole(recovered.url('penstock'), acknowledged);

    const past = join(folder, 'past');
    await server.shell(fromPage('Restore to a point in time', 'recovery_target_time'), {
      ...env,
      PGDATA: past,
      TIME: time?.now as string,
    });
    const earlier = undo.use(await startRecovered(past));
    const then = await expectWhole(earlier.url('penstock'), atTime);
    expect(then).toBeLessThan(all);

    const copied = await recovered.database('copied');
    const restore = fromPage('A copy of the database alone', 'pg_restore');
    await server.shell(restore, { STORE: copied, BACKUP });
    await expectWhole(copied, atDump);

    const again = undo.use(
      await Up.start(['--data', up.data, '--store', recovered.url('penstock')]),
    );
    again.first = { ...again.ready, api_key: up.first.api_key, operator: up.first.operator };
    expect((await readStream(await ask(again))).done).toBe(true);
    process.stdout.write(
      `killed after ${acknowledged.length} complete answers: the newest state has ${all} charges, ` +
        `the point in time ${then}, of which ${atTime.length} answers were complete\n`,
    );
  },
);
