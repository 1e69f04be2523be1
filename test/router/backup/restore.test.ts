/** Restores of a store on SQLite from a backup. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { BooksDiffer } from '../../../router/backup/verified-copy.ts';
import { ConfigError } from '../../../router/config-error.ts';
import { StoreIncomplete, StoreLocked } from '../../../router/store/errors.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { putInPlace } from '../../../router/store/sqlite/replace.ts';
import { LOG, REGISTRY } from '../ledger/rig.ts';
import { BackupRig } from './rig.ts';

async function startRouterOn(the: BackupRig, file: string): Promise<void> {
  const config = { url: `sqlite:${file}`, registry: REGISTRY };
  const store = await openStore(config, { clock: the.rig.clock, log: LOG });
  await store[Symbol.asyncDispose]();
}

test('a backup becomes a store at another path, on which a router starts', async () => {
  await using the = await BackupRig.start();
  await the.charge(5);
  const { transfers } = await the.backUp();
  const file = join(the.folder, 'new', 'penstock.db');
  expect(await the.restore({ file })).toMatchObject({ transfers, replaced: null });
  expect(statSync(file).mode).toBe(0o100600);
  expect(readFileSync(`${file}.mark`, 'utf8')).toBe(`${transfers}\n`);
  expect(existsSync(the.to)).toBe(true);
  await startRouterOn(the, file);
  expect(await the.verify(file)).toEqual([]);
});

test('a store is restored only while no router runs on it', async () => {
  await using the = await BackupRig.start();
  await the.backUp();
  await the.charge(5);
  await expect(the.restore({ replace: true })).rejects.toThrow(StoreLocked);
  expect(await the.verify(the.file)).toEqual([]);
  expect(readdirSync(dirname(the.file)).filter((name) => /replaced|partial/.test(name))).toEqual(
    [],
  );
});

test('a store that exists is replaced only if that is asked for, and is kept', async () => {
  await using the = await BackupRig.start();
  await the.charge(5);
  await the.backUp();
  await the.charge(3);
  await the.rig.closeStore();
  await expect(the.restore()).rejects.toThrow(/exists already: --replace/);
  await expect(the.restore({ from: the.file, replace: true })).rejects.toThrow(ConfigError);
  const { replaced } = await the.restore({ replace: true });
  expect(replaced).toMatchObject({ transfers: 10n });
  const aside = replaced?.file as string;
  expect(await the.verify(aside)).toEqual([]);
  expect(readFileSync(`${aside}.mark`, 'utf8')).toBe('10\n');
  // The replaced store can itself be put back.
  expect(await the.restore({ from: aside, replace: true })).toMatchObject({ transfers: 10n });
  await the.rig.reopenStore();
});

test('the log of a killed router stays with the store that it belongs to', async () => {
  await using the = await BackupRig.start();
  await the.charge(5);
  await the.backUp();
  await the.charge(3);
  // The files as a kill would leave them, with the newest charges in the log.
  const file = join(the.folder, 'killed.db');
  for (const part of ['', '-wal', '.mark']) {
    if (existsSync(`${the.file}${part}`)) copyFileSync(`${the.file}${part}`, `${file}${part}`);
  }
  const { replaced, transfers } = await the.restore({ file, replace: true });
  expect([transfers, replaced?.transfers]).toEqual([7n, 10n]);
  expect(existsSync(`${file}-wal`)).toBe(false);
  await startRouterOn(the, file);
  expect(await the.verify(file)).toEqual([]);
  expect(await the.verify(replaced?.file as string)).toEqual([]);
  expect(
    (await the.restore({ file, from: replaced?.file as string, replace: true })).transfers,
  ).toBe(10n);
});

test('a store whose file is lost or destroyed is replaced, and its mark says what is missing', async () => {
  await using the = await BackupRig.start();
  await the.backUp();
  await the.charge(3);
  await the.rig.closeStore();
  const mark = readFileSync(`${the.file}.mark`);
  for (const destroy of [
    () => rmSync(the.file),
    () => writeFileSync(the.file, 'noise'),
    () => writeFileSync(the.file, ''),
  ]) {
    destroy();
    writeFileSync(`${the.file}.mark`, mark);
    await expect(the.restore()).rejects.toThrow(/exists already/);
    expect((await the.restore({ replace: true })).replaced).toMatchObject({ transfers: 5n });
    expect(await the.verify(the.file)).toEqual([]);
  }
  await the.rig.reopenStore();
});

test('a backup that is damaged is refused, and the store stays as it was', async () => {
  await using the = await BackupRig.start();
  await the.charge(3);
  await the.backUp();
  await the.rig.closeStore();
  const bytes = readFileSync(the.to);
  writeFileSync(the.to, bytes.subarray(0, bytes.length / 2));
  await expect(the.restore({ replace: true })).rejects.toThrow();
  rmSync(the.to);
  the.rig.damaged = true;
  await the.rig.sql('UPDATE accounts SET held = held + 1');
  await the.backUp({ verify: false });
  await the.rig.sql('UPDATE accounts SET held = held - 1');
  const before = readdirSync(dirname(the.file));
  await expect(the.restore({ replace: true })).rejects.toThrow(BooksDiffer);
  expect(readdirSync(dirname(the.file))).toEqual(before);
  expect(await the.verify(the.file)).toEqual([]);
});

test('after a restore that was interrupted no router starts until another has completed', async () => {
  await using the = await BackupRig.start();
  await the.backUp();
  await the.charge(3);
  await the.rig.closeStore();
  const aside = `${the.file}.replaced-now`;
  const gone = join(the.folder, 'gone');
  // The copy cannot be moved into its place after the former store has been taken out of use.
  expect(() => putInPlace(gone, { file: the.file, aside, transfers: 2n })).toThrow(/ENOENT/);
  const starting = startRouterOn(the, the.file);
  await expect(starting).rejects.toThrow(StoreIncomplete);
  await expect(starting).rejects.toThrow(/a restore of .* was interrupted: run it again/);
  await expect(the.verify(the.file)).rejects.toThrow(StoreIncomplete);
  expect(readFileSync(`${aside}.mark`, 'utf8')).toBe('5\n');
  expect(await the.verify(aside)).toEqual([]);
  const { replaced } = await the.restore({ replace: true });
  expect(basename(replaced?.file as string)).toMatch(
    /^penstock\.db\.replaced-\d{8}T\d{6}\.\d{3}Z$/,
  );
  await startRouterOn(the, the.file);
  await the.rig.reopenStore();
});
