/** The ready file, in which `penstock up` reports its addresses and credentials. */
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReadyFile } from '../../bin/ready-file.ts';

test('parts that start anew at once are all in it, and what comes last stands', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = undo.adopt(await mkdtemp(join(tmpdir(), 'penstock-')), (path) =>
    rm(path, { recursive: true }),
  );
  const path = join(folder, 'ready.json');
  const file = new ReadyFile(path);
  const written = Array.from({ length: 20 }, (_, part) => file.write(() => ({ part })));
  await Promise.all(written);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ part: 19 });
  void file.write(() => ({ part: 20 }));
  await file.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('nothing that was put in its way is written through', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = undo.adopt(await mkdtemp(join(tmpdir(), 'penstock-')), (path) =>
    rm(path, { recursive: true }),
  );
  const path = join(folder, 'ready.json');
  const victim = join(folder, 'victim');
  await writeFile(victim, 'as it was');
  await symlink(victim, `${path}.${process.pid}`);
  await new ReadyFile(path).write(() => ({ secret: 1 }));
  expect(await readFile(victim, 'utf8')).toBe('as it was');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
