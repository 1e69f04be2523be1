/** An engine that the agent runs itself: real processes that are started, watched and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stringify } from 'yaml';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Engine } from '../../agent/engine/engine.ts';
import { isCommand, Supervisor } from '../../agent/engine/supervise.ts';
import { Watch } from '../../agent/engine/watch.ts';
import { startAgent } from '../../agent/main.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { seededRandom } from '../../shared/random.ts';
import { FakeRouter } from '../agent/support/fake-router.ts';
import { HELLO, agentConfig, scratch } from '../agent/support/rig.ts';
import { freePort } from '../support/free-port.ts';
import { isAlive } from '../support/is-alive.ts';

const SCRIPT = new URL('engine-process.ts', import.meta.url).pathname;
const PENSTOCK = new URL('../../bin/penstock', import.meta.url).pathname;

async function untilGone(...pids: number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([]);
}

type Pids = { engine: number; worker: number };

async function start(mode: string, more: object = {}) {
  await using undo = new AsyncDisposableStack();
  const { folder } = undo.use(await scratch());
  const router = undo.use(await FakeRouter.start());
  const port = await freePort();
  const engine = {
    name: 'engine',
    url: `http://127.0.0.1:${port}`,
    command: [process.execPath, SCRIPT, String(port), mode],
    ...more,
  };
  const config = { data: folder, routers: [router.url], engines: [engine] };
  const logged: string[] = [];
  const sink = new PassThrough().on('data', (bytes: Buffer) => logged.push(bytes.toString()));
  const log = pino({ level: 'debug' }, sink);
  const get = (path: string) => fetch(engine.url + path);
  const owned = undo.move();
  return {
    router,
    folder,
    config,
    logged,
    get,
    run: async () => {
      const parts = { clock: systemClock, random: seededRandom(1), log };
      const agent = owned.use(await startAgent(agentConfig(config), parts));
      return { agent, session: await router.joined() };
    },
    pids: async () => (await (await get('/pids')).json()) as Pids,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('it is started, its loading is seen, it is tried out, and it ends with the agent, its workers too', async () => {
  await using rig = await start('loads', { output: '/dev/null' });
  const { agent, session } = await rig.run();
  await session.until(() => session.load()?.notes[0]?.includes('loaded: 25 %') === true);
  expect(session.load()?.phase).toBe('joining');
  await rig.get('/loaded');
  await session.until(() => session.load()?.phase === 'ready');
  const { engine, worker } = await rig.pids();
  const call = session.open(HELLO);
  expect((await call.ended()).end).toMatchObject({ outcome: 'finished', finish: 'length' });
  expect(rig.logged.join('')).toContain('its weights are being loaded: 25 %');
  await agent[Symbol.asyncDispose]();
  await untilGone(engine, worker);
});

test('one that ends is started anew, with a new boot, and nothing of the old one is left', async () => {
  await using rig = await start('good');
  const { session } = await rig.run();
  await session.until(() => session.load()?.phase === 'ready');
  const before = await rig.pids();
  const boot = session.load()?.boot;
  await rig.get('/die').catch(() => null);
  await session.until(() => session.load()?.phase === 'ready' && session.load()?.boot !== boot);
  const after = await rig.pids();
  expect(after.engine).not.toBe(before.engine);
  await untilGone(before.engine, before.worker);
});

test('one that answers everything but generates nothing is not ready', async () => {
  await using rig = await start('dumb');
  const { session } = await rig.run();
  await expect.poll(async () => (await rig.get('/version').catch(() => null))?.status).toBe(200);
  // The probe is in progress or over. In both cases the engine is not ready.
  await session.until(() => session.loads.length >= 4);
  expect(session.load()?.phase).toBe('joining');
});

test('one that ends before it serves is tried again with a pause, and its last lines are logged without secrets', async () => {
  await using rig = await start('dies', { env: { HF_TOKEN: 'hf-secret-value' } });
  const { session } = await rig.run();
  await session.until(() => session.load()?.notes[0]?.includes('status 3') === true);
  await expect
    .poll(() => rig.logged.join('').split('engine started').length, { timeout: 20_000 })
    .toBeGreaterThan(2);
  const logged = rig.logged.join('');
  expect(logged).toContain('ValueError');
  expect(logged).not.toMatch(/sk-in-the-log|hf-secret-value/);
  expect(JSON.stringify(session.loads)).not.toMatch(/ValueError|sk-in|hf-sec/);
});

test('a command that does not exist is said, and tried again', async () => {
  await using rig = await start('good', { command: ['/no/such/engine'] });
  const { session } = await rig.run();
  await session.until(() => session.load()?.notes[0]?.includes('ENOENT') === true);
});

test('a command that the system does not take is said, and the agent serves on', async () => {
  await using rig = await start('good', { command: [process.execPath, 'x'.repeat(200_000)] });
  const { session } = await rig.run();
  await session.until(() => session.load()?.notes[0]?.includes('E2BIG') === true);
});

/** A clock that runs this many times faster. */
function faster(times: number): Clock {
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() * times,
    after: (ms, run, hold) => systemClock.after(ms / times, run, hold),
  };
}

/** An engine and its supervisor, without the rest of an agent. */
function supervise(value: object, clock: Clock) {
  const [config] = agentConfig({ ...value }).engines;
  if (!config || !isCommand(config)) throw new Error('no command');
  const parts = { clock, random: seededRandom(1), log: pino({ level: 'silent' }) };
  const engine = new Engine(config, clock);
  return { engine, parts, supervisor: new Supervisor(engine, config, parts) };
}

test('one that ignores the request to stop is ended all the same', async () => {
  await using rig = await start('stubborn');
  const { engine, supervisor } = supervise(rig.config, faster(20));
  await using undo = new AsyncDisposableStack();
  undo.use(engine);
  await expect.poll(async () => (await rig.get('/pids').catch(() => null))?.status).toBe(200);
  const pids = await rig.pids();
  await supervisor[Symbol.asyncDispose]();
  await untilGone(pids.engine, pids.worker);
});

test('one that hangs for long is ended and started anew', async () => {
  await using rig = await start('dumb');
  const { engine, parts, supervisor } = supervise(rig.config, faster(60));
  await using undo = new AsyncDisposableStack();
  undo.use(engine);
  undo.use(supervisor);
  undo.use(new Watch(engine, parts, supervisor));
  await expect.poll(async () => (await rig.get('/pids').catch(() => null))?.status).toBe(200);
  const before = await rig.pids();
  await expect.poll(() => supervisor.starts, { timeout: 20_000 }).toBeGreaterThan(1);
  await untilGone(before.engine, before.worker);
});

test('one that served and then answers nothing at all is ended and started anew', async () => {
  await using rig = await start('good');
  const { engine, parts, supervisor } = supervise(rig.config, faster(20));
  await using undo = new AsyncDisposableStack();
  undo.use(engine);
  undo.use(supervisor);
  undo.use(new Watch(engine, parts, supervisor));
  await expect.poll(() => engine.up, { timeout: 10_000 }).toBe(true);
  const before = await rig.pids();
  process.kill(before.engine, 'SIGSTOP');
  await expect.poll(() => supervisor.starts, { timeout: 20_000 }).toBe(2);
  await untilGone(before.engine, before.worker);
  await expect.poll(() => engine.up, { timeout: 10_000 }).toBe(true);
});

test('an agent that is killed takes its engine and the workers with it', async () => {
  await using rig = await start('good');
  const file = join(rig.folder, 'agent.yaml');
  await writeFile(file, stringify({ name: 'test', metrics: { port: 0 }, ...rig.config }));
  const agent: ChildProcess = spawn(PENSTOCK, ['agent', '--config', file], { stdio: 'ignore' });
  const session = await rig.router.joined();
  await session.until(() => session.load()?.phase === 'ready');
  const { engine, worker } = await rig.pids();
  expect([isAlive(engine), isAlive(worker)]).toEqual([true, true]);
  agent.kill('SIGKILL');
  await untilGone(engine, worker);
});

test('what an engine prints may be kept in a file, which others on the host cannot read', async () => {
  await using rig = await start('good');
  const file = join(rig.folder, 'engine.log');
  Object.assign(rig.config.engines[0] as object, { output: file });
  const { session } = await rig.run();
  await session.until(() => session.load()?.phase === 'ready');
  await expect.poll(() => readFile(file, 'utf8')).toContain('25% Completed');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
