/** Where a log goes decides who it is written for. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/up.ts';
import { configIn } from './daemon.ts';
import { PENSTOCK } from './run.ts';

test('on a terminal the log is written for people, and else as JSON', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-log-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'router.yaml');
  await writeFile(config, JSON.stringify(configIn(folder)));
  const ready = async (command: string, ...args: string[]) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    undo.defer(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString();
      });
    }
    await until(() => output.includes('router ready'), 'the router');
    child.kill('SIGTERM');
    await until(() => child.exitCode !== null || child.signalCode !== null, 'its end');
    return output.split('\n').find((line) => line.includes('router ready')) ?? '';
  };
  const run = `exec ${PENSTOCK} router --config ${config}`;
  expect(await ready('script', '-qfc', run, '/dev/null')).toMatch(/INFO.*router ready/);
  expect(JSON.parse(await ready(PENSTOCK, 'router', '--config', config))).toMatchObject({
    msg: 'router ready',
  });
});
