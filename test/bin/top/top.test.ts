/**
 * `penstock top` on a real pseudo-terminal, in a pipe, and with a fleet that sends hostile names
 * and figures.
 */
import { expect, test } from 'vitest';
import { DialingAgent, idleEngine, newAgentKey } from '../../router/control/dialing-agent.ts';
import { startRig } from '../../router/control/rig.ts';
import { up } from '../../support/shared-up.ts';
import { until } from '../../support/up.ts';
import { PENSTOCK, run } from '../run.ts';
import { Terminal } from './terminal.ts';

const LEAVES_ALTERNATE_SCREEN = '\u001b[?1049l';

const env = () => ({ PENSTOCK_OPERATOR_TOKEN: up.first.operator.token });

test('on a terminal it is live: s sorts, q quits and leaves the screen as it was', async () => {
  const size = { columns: 80, rows: 24 };
  await using terminal = new Terminal(`${PENSTOCK} top --url ${up.origin}`, env(), size);
  const first = await terminal.shows(/q quit/);
  expect(first).toContain('1 worker, 1 ready');
  expect(first).toMatch(/local\/engine +global .*ready/);
  expect(first).toContain('by name');

  const before = terminal.written.length;
  terminal.press('s');
  await terminal.shows(/by tokens/, before);
  terminal.press('q');
  expect(await terminal.exitStatus()).toBe(0);
  expect(terminal.written).toContain(LEAVES_ALTERNATE_SCREEN);
});

test('it shows what runs, and says so when the router is gone', { timeout: 60_000 }, async () => {
  const size = { columns: 120, rows: 24 };
  await using terminal = new Terminal(`${PENSTOCK} top --url ${up.origin}`, env(), size);
  await terminal.shows(/0 running/);
  const response = await up.post('/chat/completions', {
    model: 'qwen/qwen3-235b-a22b-instruct-2507',
    messages: [{ role: 'user', content: 'Write 4000 words.' }],
    stream: true,
  });
  await terminal.shows(/1 running · 0 waiting · [1-9]/);
  await response.body?.cancel();
  await terminal.shows(/0 running/, terminal.written.length);
  const before = terminal.written.length;
  process.kill(up.ready.pids.router, 'SIGKILL');
  await terminal.shows(/cannot reach/, before);
  // The router is restarted, and `top` reconnects.
  await terminal.shows(/1 ready/, terminal.written.length);
  terminal.press('\u0003');
  expect(await terminal.exitStatus()).toBe(0);
});

test('without a terminal it prints one table and ends', async () => {
  await until(async () => (await up.admin<unknown[]>('worker', 'list')).length === 1, 'a worker');
  const { status, stdout, stderr } = await run(['top', '--url', up.origin], env());
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [heading, worker, totals] = stdout.split('\n');
  expect(heading).toMatch(/^WORKER +REGION PHASE +RUN WAIT +KV +HIT TOK\/S +GPU AGENT +MODELS$/);
  expect(worker).toMatch(/^local\/engine +global /);
  expect(totals).toContain('1 worker, ');
  expect(stdout).not.toContain('\u001b');
});

test('on a terminal, too, --once prints one table and ends', async () => {
  const size = { columns: 80, rows: 24 };
  await using terminal = new Terminal(`${PENSTOCK} top --once --url ${up.origin}`, env(), size);
  expect(await terminal.exitStatus()).toBe(0);
  expect(terminal.written).toContain('local/engine');
  expect(terminal.written).not.toContain('\u001b');
});

test('--json is for scripts', async () => {
  const { status, stdout } = await run(['top', '--json', '--url', up.origin], env());
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    totals: { workers: 1, tokens_per_second: expect.any(Number) },
    workers: [{ name: 'local/engine', region: 'global', notes: expect.any(Array) }],
  });
});

test('a wrong token and an address where nothing is are told as any command tells them', async () => {
  const wrong = await run(['top', '--url', up.origin], {
    PENSTOCK_OPERATOR_TOKEN: `penstock-op-${'0'.repeat(40)}`,
  });
  expect(wrong).toMatchObject({ status: 1, stdout: '' });
  const nobody = await run(['top', '--url', 'http://127.0.0.1:1'], env());
  expect(nobody).toMatchObject({ status: 1, stdout: '' });
  expect(nobody.stderr).toContain('cannot reach');
  expect((await run(['top', '--url', up.origin])).status).toBe(2);
});

test('escape sequences in what an agent says do not reach the terminal', async () => {
  await using rig = await startRig();
  const { body } = await rig.ask('POST', '/api/v1/agents', { name: 'liar' });
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), body.join_token);
  const evil = '\u001b]0;pwned\u0007\u009b31mred\u202e';
  const said = { models: [evil], notes: [`note ${evil}`], engine: evil };
  agent.send({ type: 'load', workers: [{ ...idleEngine(evil), ...said }] });
  await until(() => [...rig.fleet.workers].length === 1, 'the worker');
  const token = { PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token };
  const at = ['--url', rig.origin];
  const size = { columns: 100, rows: 24 };
  await using terminal = new Terminal(`${PENSTOCK} top ${at.join(' ')}`, token, size);
  await terminal.shows(/pwned/);
  terminal.press('q');
  await terminal.exitStatus();
  const printed = await Promise.all([
    run(['top', ...at], token),
    run(['top', '--json', ...at], token),
    run(['admin', 'worker', 'list', ...at], token),
    run(['admin', 'worker', 'list', '--json', ...at], token),
  ]);
  for (const { stdout } of printed) {
    expect(stdout).toContain('pwned');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
  for (const sequence of ['\u001b]0;', '\u0007', '\u009b', '\u202e']) {
    expect(terminal.written).not.toContain(sequence);
  }
});
