/** A SQLite store that was copied while a router was writing, or restored from an older copy. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrganizationId } from '../../../shared/ids.ts';
import { verifyStore } from '../../../router/verify/verify-store.ts';
import { StoreIncomplete } from '../../../router/store/errors.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { SqlitePlace } from '../../support/store.ts';
import { failSyncs } from './registry.ts';
import { LOG, REGISTRY, Rig } from './rig.ts';

const CHARGES = 51;

let rig: Rig;
let file: string;
let organization: OrganizationId;
let folder: string;
let copy: string;
beforeEach(async () => {
  rig = await Rig.start();
  ({ file } = rig.place as SqlitePlace);
  organization = await rig.organization(1_000_000n);
  // Everything up to now is in the file itself. New commits go to its log.
  await rig.closeStore();
  await rig.reopenStore();
  folder = mkdtempSync(join(tmpdir(), 'penstock-copy-'));
  copy = join(folder, 'penstock.db');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await rig[Symbol.asyncDispose]();
});

async function charge(): Promise<void> {
  const one = async () => {
    const request = await rig.hold(organization, 100n);
    await rig.settle(organization, request, { prompt: 3, completion: 1 });
  };
  await Promise.all(Array.from({ length: CHARGES }, one));
}

/** Waits until the mark is written, which happens after the commits. */
async function marked(transfers: number): Promise<void> {
  while (!existsSync(`${file}.mark`) || Number(readText(`${file}.mark`)) < transfers) {
    rig.clock.advance(500);
    await rig.balance(organization);
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

async function verifyCopy(): Promise<readonly string[]> {
  const config = { url: `sqlite:${copy}`, registry: REGISTRY };
  return (await verifyStore(config, { clock: rig.clock, log: LOG })).differences;
}

test('a copy of the file alone, of a router that runs, is not taken for the books', async () => {
  await charge();
  copyFileSync(file, copy);
  expect(await verifyCopy()).toEqual([
    expect.stringMatching(/^store: a router had it open when it was copied, and neither its log/),
  ]);
});

test('a copy with its mark says how many transfers it has lost', async () => {
  await charge();
  await marked(CHARGES + 2);
  copyFileSync(file, copy);
  copyFileSync(`${file}.mark`, `${copy}.mark`);
  expect(await verifyCopy()).toEqual([
    'store: it has 2 transfers, but had 53 when a router last wrote it: 51 are missing',
  ]);
});

test('a copy with its log, or one that SQLite made after its mark was copied, is whole', async () => {
  await charge();
  await marked(CHARGES + 2);
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  expect(await verifyCopy()).toEqual([]);
  rmSync(`${copy}-wal`);
  rmSync(copy);
  copyFileSync(`${file}.mark`, `${copy}.mark`);
  const database = new BetterSqlite3(file, { readonly: true });
  await database.backup(copy);
  database.close();
  expect(await verifyCopy()).toEqual([]);
});

test('the mark does not name a charge whose sync has failed', async () => {
  const request = await rig.hold(organization, 100n);
  await marked(2);
  await rig.store.call(failSyncs, true);
  const settle = () => rig.settle(organization, request, { prompt: 3, completion: 1 });
  await expect(settle()).rejects.toThrow('could not be synced');
  for (let pass = 0; pass < 3; pass++) {
    rig.clock.advance(500);
    await rig.balance(organization);
  }
  expect(readText(`${file}.mark`)).toBe('2\n');
  await rig.store.call(failSyncs, false);
  await settle();
  await marked(3);
});

test('no router starts on a file that is older than its mark, and says what to do', async () => {
  copyFileSync(file, copy);
  await charge();
  await rig.closeStore();
  copyFileSync(`${file}.mark`, `${copy}.mark`);
  const config = { url: `sqlite:${copy}`, registry: REGISTRY };
  const opening = openStore(config, rig.parts);
  await expect(opening).rejects.toThrow(StoreIncomplete);
  await expect(opening).rejects.toThrow(/has 2 transfers, but had 53 .* Put the newest one back/);
  rmSync(`${copy}.mark`);
  await (await openStore(config, rig.parts))[Symbol.asyncDispose]();
  await rig.reopenStore();
});

test('a router that was stopped leaves a file that is whole by itself, with a mark that says so', async () => {
  await charge();
  await rig.closeStore();
  expect(readText(`${file}.mark`)).toBe('53\n');
  copyFileSync(file, copy);
  expect(await verifyCopy()).toEqual([]);
  await rig.reopenStore();
});

test('a file of two halves is named', async () => {
  await charge();
  await rig.closeStore();
  copyFileSync(file, copy);
  // The first half of the file is old, and the second half is newer.
  await rig.reopenStore();
  await charge();
  await charge();
  await rig.closeStore();
  const [early, late] = [readFileSync(copy), readFileSync(file)];
  const half = Math.floor(late.length / 2 / 4_096) * 4_096;
  writeFileSync(copy, Buffer.concat([early.subarray(0, half), late.subarray(half)]));
  expect(await verifyCopy()).toContainEqual(expect.stringMatching(/^file: /));
  await rig.reopenStore();
});
