/** GPUs as reported by nvidia-smi, which the tests replace by a script in PATH. */
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { GpuWatch, parseGpus } from '../../agent/gpu.ts';
import { startAgent } from '../../agent/main.ts';
import { systemClock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';
import { FakeRouter } from './support/fake-router.ts';
import { agentConfig, scratch } from './support/rig.ts';
import { ScriptedEngine } from './support/scripted-engine.ts';

const TABLE = `0, NVIDIA H200, 1024, 143771, 87
1, NVIDIA H200, [N/A], 143771, [Not Supported]
`;
const MIB = 1_048_576;

afterEach(() => void vi.unstubAllEnvs());

/** Makes this nvidia-smi, or none, the only one: PATH has no other folder that could hold one. */
async function withScript(folder: string, script: string | null): Promise<void> {
  if (script !== null) {
    await writeFile(join(folder, 'nvidia-smi'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'nvidia-smi'), 0o755);
  }
  vi.stubEnv('PATH', folder);
}

test('each engine has its own of them in its load report, and the host has all in its metrics', async () => {
  await using data = await scratch();
  await using engine = await ScriptedEngine.start();
  await using router = await FakeRouter.start();
  // The arguments are part of the contract, because other arguments would print another table.
  await withScript(
    data.folder,
    `[ "$*" = "--query-gpu=index,name,memory.used,memory.total,utilization.gpu --format=csv,noheader,nounits" ] || exit 1
echo '${TABLE.trim()}'`,
  );
  const parts = { clock: systemClock, random: seededRandom(1), log: makeLog('agent', 'silent') };
  const config = agentConfig({
    data: data.folder,
    routers: [router.url],
    engines: [
      { name: 'all', url: engine.url },
      { name: 'second', url: engine.url, gpus: [1, 7] },
    ],
  });
  await using agent = await startAgent(config, parts);
  const session = await router.joined();
  await session.until(() => session.load('all')?.gpus.length === 2);
  const second = {
    name: 'NVIDIA H200',
    memoryUsedBytes: 0,
    memoryTotalBytes: 143_771 * MIB,
    use: 0,
  };
  expect(session.load('all')?.gpus).toEqual([
    { ...second, memoryUsedBytes: 1_024 * MIB, use: 0.87 },
    second,
  ]);
  expect(session.load('second')?.gpus).toEqual([second]);
  const metrics = await (await fetch(`http://127.0.0.1:${agent.metricsPort}/metrics`)).text();
  expect(metrics).toContain('penstock_agent_gpu_use_ratio{gpu="0"} 0.87');
  expect(metrics).toContain(`penstock_agent_gpu_memory_bytes{gpu="1"} ${143_771 * MIB}`);
});

test('a host without the program has no GPUs, and is not asked again', async () => {
  await using data = await scratch();
  await withScript(data.folder, null);
  const seen: unknown[] = [];
  await using watch = new GpuWatch(systemClock, (gpus) => seen.push(gpus));
  await expect.poll(() => watch.ended).toBe(true);
  expect(seen).toEqual([]);
});

test('one that hangs is not waited for when the agent ends, though nothing ends it', async () => {
  await using data = await scratch();
  // The child process keeps the output open, as a driver that hangs would.
  await withScript(data.folder, `echo > ${data.folder}/begun; /bin/sleep 15; true`);
  const watch = new GpuWatch(systemClock, () => {});
  await expect.poll(() => existsSync(join(data.folder, 'begun'))).toBe(true);
  await watch[Symbol.asyncDispose]();
}, 8_000);

test('a table is read line by line, and what is no GPU is passed over', () => {
  const gpus = parseGpus(`No devices were found
0, Name, with, commas, 1, 2, 150
x, y, 1, 2, 3
1
99999, n, 1, 2, 3
2, ${'n'.repeat(999)}, -1, 99999999999999, 5`);
  expect([...gpus.keys()]).toEqual([0, 2]);
  expect(gpus.get(0)).toEqual({
    name: 'Name, with, commas',
    memoryUsedBytes: MIB,
    memoryTotalBytes: 2 * MIB,
    use: 1,
  });
  expect(gpus.get(2)).toMatchObject({ memoryUsedBytes: 0, memoryTotalBytes: 0, use: 0.05 });
  expect(gpus.get(2)?.name.length).toBe(64);
});
