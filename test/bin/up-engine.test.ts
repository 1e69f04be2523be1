/** `penstock up --engine` with an engine that has no model of the catalog. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './run.ts';

test('says at once what the engine lists and what the catalog wants, and starts nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bin-'));
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ data: [{ id: 'tinyllama:latest' }] })),
  );
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const data = join(folder, 'data');
    const { status, stderr } = await run(['up', '--engine', url, '--data', data, '--port', '0']);
    expect(status).toBe(2);
    expect(stderr).toContain('lists tinyllama:latest, and the catalog has');
    expect(stderr).toContain('Qwen/Qwen3-235B-A22B-Instruct-2507');
    expect(stderr).toContain('--catalog');
    expect(existsSync(data)).toBe(false);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
});
