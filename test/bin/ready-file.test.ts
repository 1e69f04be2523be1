/** The file in which `penstock up` tells of itself. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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
