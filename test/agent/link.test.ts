/** The link: the agent's identity, and its behavior when a router or the agent itself goes away. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAgent, startAgent } from '../../agent/main.ts';
import { limits } from '../../shared/limits.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';
import { KIND } from '../../shared/wire/frames.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { FakeRouter } from './support/fake-router.ts';
import { turn } from './support/gate.ts';
import { agentConfig, HELLO, type Rig, readySession, scratch, startRig } from './support/rig.ts';
import { ScriptedEngine } from './support/scripted-engine.ts';

const quiet = () => ({
  clock: new ManualClock(),
  random: seededRandom(1),
  log: makeLog('agent', 'silent'),
});

/** Advances the clock in small steps until `holds` is true. */
async function pass(clock: ManualClock, holds: () => boolean, stepMs = 50): Promise<void> {
  while (!holds()) {
    clock.advance(stepMs);
    await turn();
  }
}

test('a new agent joins with its token, and after a restart with the key it has kept', async () => {
  await using engine = await ScriptedEngine.start();
  await using router = await FakeRouter.start();
  await using data = await scratch();
  const config = agentConfig({
    data: join(data.folder, 'deep'),
    routers: [router.url],
    join: 'penstock-join-1',
    engines: [{ name: 'engine', url: engine.url }],
  });
  for (const start of [1, 2]) {
    await using undo = new AsyncDisposableStack();
    undo.use(await startAgent(config, { ...quiet(), random: seededRandom(start) }));
    await router.joined(start);
  }
  const [first, second] = router.sessions;
  expect(first?.join).toBe('penstock-join-1');
  expect(first?.publicKey).toBe(second?.publicKey);
  expect(first?.boot).not.toBe(second?.boot);
  const { mode } = await stat(join(data.folder, 'deep', 'agent-key.pem'));
  expect(mode & 0o777).toBe(0o600);
});

test('a key file that holds something else is a fault, which does not quote it', async () => {
  await using data = await scratch();
  const { writeFile } = await import('node:fs/promises');
  await writeFile(join(data.folder, 'agent-key.pem'), 'SECRET');
  const config = agentConfig({
    data: data.folder,
    routers: ['ws://127.0.0.1:1/agent'],
    engines: [{ name: 'engine', url: 'http://127.0.0.1:1' }],
  });
  const start = startAgent(config, quiet());
  await expect(start).rejects.toThrow(/agent-key\.pem does not hold/);
  await expect(start).rejects.not.toThrow(/SECRET/);
});

test('when its router dies, the engine stops, and the agent joins again with growing pauses', async () => {
  await using rig = await startRig();
  const { port, id } = rig.router;
  rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await rig.router[Symbol.asyncDispose]();
  await ask.untilAborted();

  const state = async (name: string) =>
    (await rig.metrics()).includes(`penstock_agent_links{state="${name}"} 1`);
  const pauses: number[] = [];
  for (let retry = 0; retry < 4; retry++) {
    while (!(await state('waiting'))) await turn();
    const before = await reconnects(rig);
    let waited = 0;
    while ((await reconnects(rig)) === before) {
      rig.clock.advance(10);
      waited += 10;
      await turn();
    }
    pauses.push(waited);
  }
  expect(pauses[0]).toBeGreaterThanOrEqual(250);
  expect(pauses[0]).toBeLessThanOrEqual(520);
  expect(pauses[3]).toBeGreaterThanOrEqual(1_990);

  await using again = await FakeRouter.start({ port, id });
  await pass(rig.clock, () => again.sessions.some((session) => session.welcomed));
  const session = await readySession(again, rig.clock);
  const call = session.open(HELLO);
  (await rig.engine.ask(2)).accept().role(3).chunk({}, [3, 1], 'stop').usage(3, 1).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
});

test('an agent whose connection reaches another process of the router dials again at once', async () => {
  await using rig = await startRig();
  rig.router.misdirected = 5;
  rig.session.socket.terminate();
  await pass(rig.clock, () => rig.router.misdirected < 5);
  // The clock stands still from here on, so no pause could end.
  await rig.router.joined(2);
  expect(rig.router.misdirected).toBe(0);
});

test('an agent that never reaches the process it dials makes its pauses as after any failure', async () => {
  await using rig = await startRig();
  rig.router.misdirected = Number.POSITIVE_INFINITY;
  let dialled = 0;
  rig.router.onMisdirected = () => (dialled += 1);
  rig.session.socket.terminate();
  await pass(rig.clock, () => dialled > 0);
  while (dialled < 64) await turn();
  for (let look = 0; look < 100; look++) await turn();
  expect(dialled).toBe(64);
  rig.router.misdirected = 0;
  await pass(rig.clock, () => rig.router.sessions.length > 1);
});

async function reconnects(rig: { metrics(): Promise<string> }): Promise<number> {
  return Number(/reconnects_total\{.*\} (\d+)/.exec(await rig.metrics())?.[1]);
}

test('an agent that is refused keeps trying, and joins once it may', async () => {
  await using rig = await startRig();
  rig.router.refusal = 'not enrolled';
  rig.session.socket.close(4001, 'revoked');
  await pass(rig.clock, () => rig.router.sessions.length >= 3);
  rig.router.refusal = null;
  await pass(rig.clock, () => rig.router.sessions.filter((one) => one.welcomed).length === 2, 500);
});

test('a router that falls silent is given up, one that answers pings is not', async () => {
  await using rig = await startRig();
  for (let beats = 0; beats < 20; beats++) {
    const { socket } = rig.session;
    const ping = new Promise((resolve) => socket.once('ping', resolve));
    rig.clock.advance(limits.linkPingMs);
    await ping;
    // Time for the pong to arrive.
    for (let turns = 0; turns < 10; turns++) await turn();
  }
  expect(rig.session.closed).toBe(null);
  rig.session.socket.pause();
  rig.clock.advance(limits.linkSilenceMsMax + 2 * limits.linkPingMs);
  rig.session.socket.resume();
  await rig.session.until(() => rig.session.closed !== null);
  await pass(rig.clock, () => rig.router.sessions.length === 2);
});

test('a handshake that never ends is given up', async () => {
  await using router = await FakeRouter.start();
  await using data = await scratch();
  router.welcomes = false;
  const parts = quiet();
  const config = agentConfig({
    data: data.folder,
    routers: [router.url],
    engines: [{ name: 'engine', url: 'http://127.0.0.1:1' }],
  });
  await using undo = new AsyncDisposableStack();
  undo.use(await startAgent(config, parts));
  await router.gate.until(() => router.sessions[0]?.proven === true);
  parts.clock.advance(limits.linkHandshakeMsMax);
  await router.gate.until(() => router.sessions[0]?.closed !== null);
  expect(router.sessions[0]?.closed?.code).toBe(4000);
});

const BREACHES: readonly [string, (rig: Awaited<ReturnType<typeof startRig>>) => void][] = [
  ['a message that is no JSON', ({ session }) => session.socket.send('{')],
  ['a message of an unknown type', ({ session }) => session.socket.send('{"type":"hi"}')],
  ['a record of the wrong kind', ({ session }) => session.piece(9, Buffer.from('x'), KIND.end)],
  ['a record that is cut short', ({ session }) => session.socket.send(Buffer.alloc(5))],
  [
    'a second challenge',
    ({ session }) =>
      session.send({ type: 'challenge', nonce: 'x'.repeat(20), router: 'r', region: 'us' }),
  ],
  [
    'a stream that is opened twice',
    ({ session }) => {
      session.announce({ stream: 7 });
      session.announce({ stream: 7 });
    },
  ],
  [
    'a body that is too large',
    ({ session }) => {
      session.announce({ bodyBytes: limits.bodyBytesMax + 1 });
    },
  ],
  [
    'a body that is longer than was said',
    ({ session }) => {
      const call = session.announce({ bodyBytes: 4 });
      session.piece(call.stream, Buffer.from('12345'));
    },
  ],
];

test.each(BREACHES)('%s ends the session, and what ran in it', async (_name, breach) => {
  await using rig = await startRig();
  rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept();
  breach(rig);
  await rig.session.until(() => rig.session.closed !== null);
  expect(rig.session.closed?.code).toBe(4000);
  await ask.untilAborted();
  await pass(rig.clock, () => rig.router.sessions.length === 2);
});

test('draining, it takes nothing new, finishes what runs, and goes', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  const drained = rig.agent.drain();
  await rig.session.until(() => rig.session.drained);
  await pass(rig.clock, () => rig.session.load()?.phase === 'draining');
  const late = rig.session.open(HELLO);
  await late.until(() => late.refused !== null);
  expect(late.refused).toBe('draining');
  // A model that is not served is refused just so, and gets no series of metrics.
  const unknown = rig.session.open(HELLO, { model: 'test/other' });
  await unknown.until(() => unknown.refused !== null);
  const page = await rig.metrics();
  expect(page).toContain('status="refused"} 1');
  expect(page).not.toContain('test/other');
  expect(rig.session.closed).toBe(null);
  ask.chunk({ content: 'x' }, [3, 1]).chunk({}, [3, 2], 'stop').usage(3, 2).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
  await drained;
  await rig.session.until(() => rig.session.closed !== null);
  expect(rig.session.closed).toEqual({ code: 4003, reason: 'the agent is stopping' });
  expect(rig.router.sessions.length).toBe(1);
});

test('runAgent drains at the signal and then ends', async () => {
  await using engine = await ScriptedEngine.start();
  await using router = await FakeRouter.start();
  await using data = await scratch();
  const parts = quiet();
  const stop = new AbortController();
  const config = agentConfig({
    data: data.folder,
    routers: [router.url],
    engines: [{ name: 'engine', url: engine.url }],
  });
  let port = 0;
  const running = runAgent(config, {
    ...parts,
    signal: stop.signal,
    onReady: (agent) => {
      port = agent.metricsPort;
    },
  });
  const session = await readySession(router, parts.clock);
  expect(port).toBeGreaterThan(0);
  const call = session.open(HELLO);
  const ask = (await engine.ask()).accept().role(3);
  stop.abort();
  await session.until(() => session.drained);
  ask.chunk({}, [3, 1], 'stop').usage(3, 1).done();
  await call.ended();
  await running;
  expect(parts.clock.timers).toBe(0);
});

test('an agent that is disposed of stops its engines at once and leaves no timer', async () => {
  const rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  await rig.agent[Symbol.asyncDispose]();
  await ask.untilAborted();
  expect(rig.clock.timers).toBe(0);
  await rig[Symbol.asyncDispose]();
});

test('it serves the peers that a router names, each once, and drops those no longer named', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  const alias = rig.router.url.replace('127.0.0.1', 'localhost');
  rig.session.send({
    type: 'peers',
    routers: [other.url, rig.router.url, alias, 'ws://10.1.2.3/agent', 'nonsense'],
  });
  const session = await readySession(other, rig.clock);
  const call = session.open(HELLO);
  (await rig.engine.ask()).accept().role(3).chunk({}, [3, 1], 'stop').usage(3, 1).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
  // The agent recognizes the first router at its second address, and closes that link before it
  // proves its identity.
  await rig.router.gate.until(
    () => rig.router.sessions[1]?.closed !== null && rig.router.sessions.length > 1,
  );
  expect(rig.router.sessions[1]?.proven).toBe(false);
  expect(rig.session.closed).toBe(null);

  // While the router restarts, the agent keeps trying it although no router names it. After a
  // minute the agent gives up.
  const links = async () => {
    const page = await rig.metrics();
    return [...page.matchAll(/^penstock_agent_links\{.*\} (\d+)$/gm)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  };
  const port = other.port;
  await other[Symbol.asyncDispose]();
  rig.session.send({ type: 'peers', routers: [] });
  await pass(rig.clock, () => session.closed !== null);
  await live(rig, 30_000);
  expect(await links()).toBe(3);
  await live(rig, 60_000);
  expect(await links()).toBe(1);
  expect(await rig.metrics()).toContain('penstock_agent_links{state="joined"} 1');
  await using back = await FakeRouter.start({ port });
  await live(rig, 30_000);
  expect(back.sessions).toEqual([]);
  rig.session.send({ type: 'peers', routers: [back.url] });
  await readySession(back, rig.clock);
});

/**
 * Advances the clock for an agent whose first router is alive and answers each ping before the
 * next.
 */
async function live(rig: Rig, ms: number): Promise<void> {
  for (let rest = ms; rest > 0; rest -= 1_000) {
    rig.clock.advance(1_000);
    for (let turns = 0; turns < 20; turns++) await turn();
  }
}

test('a router that is named again after it was away is dialled at once, in no time that grows', async () => {
  await using rig = await startRig();
  const other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  await readySession(other, rig.clock);
  const { port } = other;
  rig.session.send({ type: 'peers', routers: [] });
  await other[Symbol.asyncDispose]();
  await live(rig, 40_000);
  await using back = await FakeRouter.start({ port });
  const before = rig.clock.monotonic();
  rig.session.send({ type: 'peers', routers: [back.url] });
  await pass(rig.clock, () => back.sessions.length === 1);
  // For a router that is not named, the pauses had grown to 20 s by now.
  expect(rig.clock.monotonic() - before).toBeLessThanOrEqual(1_000);
});

test('a hostile router has an agent dial a bounded number of addresses, however many it names', async () => {
  await using rig = await startRig();
  for (let round = 0; round < 4; round++) {
    const routers = Array.from({ length: 200 }, (_, n) => `ws://127.0.0.1:1/${round}-${n}`);
    rig.session.send({ type: 'peers', routers });
  }
  rig.session.send({ type: 'drain', worker: 'engine' });
  await pass(rig.clock, () => rig.session.load()?.phase === 'draining');
  const page = await rig.metrics();
  const states = [...page.matchAll(/^penstock_agent_links\{.*\} (\d+)$/gm)];
  expect(states.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(257);
  expect(rig.session.closed).toBe(null);
});

test('of peers that no agent could be told, the session ends', async () => {
  await using rig = await startRig();
  rig.session.send({ type: 'peers', routers: Array.from({ length: 2_000 }, () => 'ws://[::1]/') });
  await rig.session.until(() => rig.session.closed !== null);
  expect(rig.session.closed?.code).toBe(4000);
});

test('a worker that one router drains takes nothing new from any, and not after a reconnect either', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  const second = await readySession(other, rig.clock);
  const running = second.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  rig.session.send({ type: 'drain', worker: 'engine' });
  await pass(rig.clock, () => rig.session.load()?.phase === 'draining');
  const call = rig.session.open(HELLO);
  await call.until(() => call.refused !== null);
  expect(call.refused).toBe('draining');
  await pass(rig.clock, () => second.load()?.phase === 'draining');
  const elsewhere = second.open(HELLO);
  await elsewhere.until(() => elsewhere.refused !== null);
  // A running request is finished.
  ask.chunk({}, [3, 1], 'stop').usage(3, 1).done();
  expect((await running.ended()).end).toMatchObject({ finish: 'stop' });

  rig.session.socket.terminate();
  await pass(rig.clock, () => rig.router.sessions.at(-1)?.loads.length === 1);
  expect(rig.router.sessions.length).toBe(2);
  expect(rig.router.sessions[1]?.load()?.phase).toBe('draining');
});

test('the end of a drain holds for every router, whichever of them the operator used', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  const second = await readySession(other, rig.clock);
  rig.session.send({ type: 'drain', worker: 'engine' });
  await pass(rig.clock, () => second.load()?.phase === 'draining');
  second.send({ type: 'drain', worker: 'engine', undo: true });
  await pass(rig.clock, () => rig.session.load()?.phase === 'ready');
  await pass(rig.clock, () => second.load()?.phase === 'ready');
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept().role(3).chunk({}, [3, 1], 'stop').usage(3, 1).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
});

test('the end of a drain does not bring back an agent that is stopping', async () => {
  await using rig = await startRig();
  const running = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  const drained = rig.agent.drain();
  await rig.session.until(() => rig.session.drained);
  rig.session.send({ type: 'drain', worker: 'engine', undo: true });
  const late = rig.session.open(HELLO);
  await late.until(() => late.refused !== null);
  expect(late.refused).toBe('draining');
  ask.chunk({}, [3, 1], 'stop').usage(3, 1).done();
  expect((await running.ended()).end).toMatchObject({ finish: 'stop' });
  await drained;
});

type Logged = Readonly<{ level: number; reason?: string; key?: string }>;

test('a router that refuses the agent is a warning once for each reason', async () => {
  await using engine = await ScriptedEngine.start();
  await using router = await FakeRouter.start();
  await using data = await scratch();
  router.refusal = 'its join token is unknown';
  const refusals = () => router.sessions.filter((session) => session.closed?.code === 4001).length;
  const warned: string[] = [];
  const write = (line: string) => {
    const { level, reason, key } = JSON.parse(line) as Logged;
    if (level === 40 && reason !== undefined) warned.push(`${reason}, ${key?.slice(0, 7)}`);
  };
  const config = agentConfig({
    data: data.folder,
    routers: [router.url],
    engines: [{ name: 'engine', url: engine.url }],
  });
  const clock = new ManualClock();
  const parts = { clock, random: seededRandom(1), log: makeLog('agent', 'info', { write }) };
  await using undo = new AsyncDisposableStack();
  undo.use(await startAgent(config, parts));
  await pass(clock, () => refusals() > 3, 5);
  expect(warned).toEqual(['its join token is unknown, SHA256:']);
  router.refusal = 'this agent was revoked';
  const before = refusals();
  await pass(clock, () => refusals() > before + 2, 5);
  expect(warned.slice(1)).toEqual(['this agent was revoked, SHA256:']);
});
