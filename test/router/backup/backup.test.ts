/** Backups of a store on SQLite while the ledger writes it. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { BooksDiffer } from '../../../router/backup/verified-copy.ts';
import { ConfigError } from '../../../router/config-error.ts';
import { StoreIncomplete, StoreMismatched } from '../../../router/store/errors.ts';
import { SmallDisk } from '../../torture/small-disk.ts';
import { BackupRig } from './rig.ts';

const FILLER_MIB = 16;

/** The requests that a store has charged, each as often as it was charged. */
function chargedIn(file: string): string[] {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    const rows = database
      .prepare<[], { reference: string }>(
        `SELECT reference FROM transfers WHERE kind = 'usage' ORDER BY reference`,
      )
      .all();
    return rows.map(({ reference }) => reference);
  } finally {
    database.close();
  }
}

test('a backup beside a busy ledger has every charge that was durable before it, once, and no half', async () => {
  await using the = await BackupRig.start();
  const before = await the.charge(200);
  let isDone = false;
  const later: string[] = [];
  const load = (async () => {
    while (!isDone) later.push(...(await the.charge(10)));
  })();
  const backup = await the.backUp().finally(() => (isDone = true));
  await load;
  const charged = chargedIn(the.to);
  expect(new Set(charged).size).toBe(charged.length);
  expect(charged).toEqual(expect.arrayContaining(before));
  // Charges were made while the backup ran, and it has only the first of them.
  expect(charged.length).toBeLessThan(before.length + later.length);
  expect(await the.verify(the.to)).toEqual([]);
  expect(Number(backup.transfers)).toBe(charged.length + 2);
  expect(backup.lastTransfer).toBe(the.rig.clock.now());
});

test('a copy of many steps does not start over when the ledger writes between them', async () => {
  await using the = await BackupRig.start();
  await the.rig.sql(
    'CREATE TABLE filler (bytes)',
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FILLER_MIB})
     INSERT INTO filler SELECT zeroblob(1048576) FROM n`,
  );
  const writer = new BetterSqlite3(the.file);
  let steps = 0;
  const { signal } = new AbortController();
  signal.throwIfAborted = () => {
    if (steps++ > FILLER_MIB) throw new Error('the copy started over');
    writer.exec('INSERT INTO filler VALUES (1)');
  };
  await the.backUp({ signal }).finally(() => writer.close());
  expect(steps).toBeGreaterThan(2);
  const copy = new BetterSqlite3(the.to, { readonly: true });
  expect(copy.prepare('SELECT count(*) FROM filler').pluck().get()).toBe(FILLER_MIB);
  copy.close();
});

test('a backup is one file that only its owner can read, and that nothing needs to be written beside', async () => {
  await using the = await BackupRig.start();
  await the.charge(3);
  const { bytes } = await the.backUp();
  expect(readdirSync(the.folder)).toEqual(['backup.db']);
  expect(statSync(the.to)).toMatchObject({ size: bytes, mode: 0o100600 });
  expect(await the.verify(the.to)).toEqual([]);
  expect(readdirSync(the.folder)).toEqual(['backup.db']);
});

test('a backup that is interrupted, while it is copied or verified, leaves nothing', async () => {
  await using the = await BackupRig.start();
  await the.charge(3);
  const copying = AbortSignal.abort();
  await expect(the.backUp({ signal: copying })).rejects.toBe(copying.reason);
  expect(readdirSync(the.folder)).toEqual([]);
  const controller = new AbortController();
  const running = the.backUp({ signal: controller.signal });
  const isVerifying = () => {
    const [copy] = readdirSync(the.folder).filter((name) => name.endsWith('.partial'));
    // The copy gets this format in its last step.
    return copy !== undefined && readFileSync(join(the.folder, copy))[18] === 1;
  };
  await expect.poll(isVerifying, { interval: 1 }).toBe(true);
  controller.abort();
  await expect(running).rejects.toBe(controller.signal.reason);
  expect(readdirSync(the.folder)).toEqual([]);
});

test('a backup replaces no file, and says why it cannot write', async () => {
  await using the = await BackupRig.start();
  const refused = async (to: string, why: RegExp) => {
    const backup = the.backUp({ to });
    await expect(backup).rejects.toThrow(ConfigError);
    await expect(backup).rejects.toThrow(why);
  };
  writeFileSync(the.to, 'mine');
  await refused(the.to, /backup\.db exists already/);
  expect(readFileSync(the.to, 'utf8')).toBe('mine');
  await refused(the.folder, /exists already/);
  await refused(join(the.folder, 'none', 'b.db'), /none: ENOENT: no such file or directory$/);
  await refused(join(the.to, 'b.db'), /backup\.db: ENOTDIR: not a directory$/);
  await refused(the.file, /exists already/);
  // Nothing is copied before that is known.
  await expect(the.backUp({ signal: AbortSignal.abort() })).rejects.toThrow(ConfigError);
  expect(readdirSync(the.folder)).toEqual(['backup.db']);
});

test('what is no store is not backed up', async () => {
  await using the = await BackupRig.start();
  const other = join(the.folder, 'other.db');
  await expect(the.backUp({ from: other })).rejects.toThrow(ConfigError);
  mkdirSync(other);
  await expect(the.backUp({ from: other })).rejects.toThrow(/there is no store/);
  for (const bytes of ['', 'a text that is not a database', Buffer.alloc(4_096, 'x')]) {
    const file = join(the.folder, 'noise.db');
    writeFileSync(file, bytes);
    await expect(the.backUp({ from: file })).rejects.toThrow(StoreMismatched);
  }
  const foreign = join(the.folder, 'foreign.db');
  new BetterSqlite3(foreign).exec('CREATE TABLE t (a)').close();
  await expect(the.backUp({ from: foreign })).rejects.toThrow(/is not a store of Penstock/);
  expect(existsSync(the.to)).toBe(false);
});

test('a store that lacks what a router wrote is not backed up as if it were whole', async () => {
  await using the = await BackupRig.start();
  const old = join(the.folder, 'old.db');
  await the.rig.closeStore();
  copyFileSync(the.file, old);
  await the.rig.reopenStore();
  await the.charge(5);
  await the.rig.closeStore();
  copyFileSync(`${the.file}.mark`, `${old}.mark`);
  await expect(the.backUp({ from: old })).rejects.toThrow(StoreIncomplete);
  await expect(the.backUp({ from: old })).rejects.toThrow(/it has 2 transfers, but had 7/);
  expect(existsSync(the.to)).toBe(false);
  await the.rig.reopenStore();
});

test('a ledger that differs from its transfers is named, and backed up only without the verification', async () => {
  await using the = await BackupRig.start();
  await the.charge(3);
  the.rig.damaged = true;
  await the.rig.sql('UPDATE accounts SET balance = balance + 1');
  const backup = the.backUp();
  await expect(backup).rejects.toThrow(BooksDiffer);
  await expect(backup).rejects.toHaveProperty('differences', [
    expect.stringContaining(the.organization),
    expect.any(String),
  ]);
  expect(readdirSync(the.folder)).toEqual([]);
  await the.backUp({ verify: false });
  expect(readdirSync(the.folder)).toEqual(['backup.db']);
});

test('a damaged page of the file is found even without the verification', async () => {
  await using the = await BackupRig.start();
  await the.charge(50);
  await the.rig.closeStore();
  const bytes = readFileSync(the.file);
  const damaged = join(the.folder, 'damaged.db');
  bytes.fill(0xff, 4_096 * 3, 4_096 * 12);
  writeFileSync(damaged, bytes);
  await expect(the.backUp({ from: damaged, verify: false })).rejects.toThrow(/damaged|malformed/);
  expect(existsSync(the.to)).toBe(false);
  await the.rig.reopenStore();
});

test.skipIf(process.getuid?.() !== 0)(
  'a full disk is named, and no file is left on it',
  async () => {
    await using the = await BackupRig.start();
    await the.charge(50);
    await using disk = await SmallDisk.mount(1);
    writeFileSync(join(disk.folder, 'large'), Buffer.alloc(800_000));
    const backup = the.backUp({ to: join(disk.folder, 'backup.db') });
    await expect(backup).rejects.toThrow(`there is no room for a copy of ${the.file}`);
    expect(readdirSync(disk.folder)).toEqual(['large']);
  },
);
