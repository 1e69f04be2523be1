/** Echoes: what an agent reports to its routers about each other's requests. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Echoes } from '../../agent/echoes.ts';
import { Echo, type Open } from '../../shared/wire/messages.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { AMPLE, FakeRouter, type FakeSession, MODEL } from './support/fake-router.ts';
import { turn } from './support/gate.ts';
import { HELLO, readySession, startRig } from './support/rig.ts';

const CHUNKS = Buffer.from('0123456789abcdef').toString('base64');

function echoesTo(session: FakeSession): Echo['events'] {
  return session.messages.flatMap((message) => (message.type === 'echo' ? message.events : []));
}

test('what one router has under way the others hear of, in order, and it does not itself', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  const listening = await readySession(other, rig.clock);
  const call = rig.session.open(HELLO, { chunks: CHUNKS, promptTokens: 9, uncachedTokens: 5 });
  const heard = async (events: number) => {
    while (echoesTo(listening).length < events) {
      rig.clock.advance(10);
      await turn();
    }
  };
  const ask = (await rig.engine.ask()).accept();
  await heard(1);
  ask.role(9);
  await heard(2);
  for (let token = 1; token <= 20; token++) ask.chunk({ content: 'x' }, [9, token]);
  ask.chunk({}, [9, 20], 'stop').usage(9, 20).done();
  await call.ended();
  await heard(3);
  const named = { from: rig.router.id, stream: call.stream };
  expect(echoesTo(listening)).toEqual([
    { at: 'dispatched', ...named, chunks: CHUNKS, promptTokens: 9, uncachedTokens: 5 },
    { at: 'first_token', ...named },
    { at: 'over', ...named },
  ]);
  expect(listening.messages.find(({ type }) => type === 'echo')).toMatchObject({
    worker: 'engine',
  });
  expect(echoesTo(rig.session)).toEqual([]);
});

test('a router that dies under its requests leaves the others with none of them', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  const listening = await readySession(other, rig.clock);
  rig.session.open(HELLO);
  (await rig.engine.ask()).accept();
  rig.session.socket.terminate();
  while (echoesTo(listening).length < 2) {
    rig.clock.advance(10);
    await turn();
  }
  expect(echoesTo(listening).map(({ at }) => at)).toEqual(['dispatched', 'over']);
});

test('a router that reads nothing, and asks for nothing, does not fill the memory of the agent', async () => {
  await using rig = await startRig();
  await using other = await FakeRouter.start();
  rig.session.send({ type: 'peers', routers: [other.url] });
  const listening = await readySession(other, rig.clock);
  listening.socket.pause();
  const rounds = 16;
  const each = 48;
  for (let round = 1; round <= rounds; round++) {
    for (let nth = 0; nth < each; nth++) rig.session.announce({ chunks: 'A'.repeat(65_536) });
    const read = once(rig.session.socket, 'pong');
    rig.session.socket.ping();
    await read;
    rig.clock.advance(10);
    await turn();
  }
  listening.socket.resume();
  const heard = once(listening.socket, 'pong');
  listening.socket.ping();
  await heard;
  // The listener received no more than what the agent queues, what it gathers at one moment, and
  // what the system's buffers take.
  expect(echoesTo(listening).length).toBeGreaterThan(100);
  expect(echoesTo(listening).length).toBeLessThan((rounds * each) / 2);
});

test('with one router alone nothing is told, nor gathered', async () => {
  const clock = new ManualClock();
  using echoes = new Echoes(clock);
  const only = listener('a');
  echoes.join(only);
  const echoed = echoes.dispatched('a', open(1));
  echoed.firstToken();
  echoed.over();
  expect(clock.timers).toBe(0);
});

test('a link that is full is spared, and what was not begun on it does not end', () => {
  const clock = new ManualClock();
  using echoes = new Echoes(clock);
  const [from, slow, quick] = [listener('a'), listener('slow'), listener('quick')];
  for (const router of [from, slow, quick]) echoes.join(router);
  const first = echoes.dispatched('a', open(1));
  clock.advance(20);
  slow.full = true;
  const second = echoes.dispatched('a', open(2));
  first.firstToken();
  second.firstToken();
  clock.advance(20);
  slow.full = false;
  first.over();
  second.over();
  clock.advance(20);
  expect(slow.heard).toEqual(['dispatched 1', 'first_token 1', 'over 1']);
  expect(quick.heard).toEqual([
    'dispatched 1',
    'dispatched 2',
    'first_token 1',
    'first_token 2',
    'over 1',
    'over 2',
  ]);
  expect(from.heard).toEqual([]);
});

test('a router that comes later hears nothing of what was begun before', () => {
  const clock = new ManualClock();
  using echoes = new Echoes(clock);
  for (const router of ['a', 'b']) echoes.join(listener(router));
  const echoed = echoes.dispatched('a', open(1));
  clock.advance(20);
  const late = listener('late');
  echoes.join(late);
  echoed.over();
  clock.advance(20);
  expect(late.heard).toEqual([]);
});

test('a flood of long prompts goes out in messages that the link allows, and is bounded', () => {
  const clock = new ManualClock();
  using echoes = new Echoes(clock);
  const other = listener('b');
  for (const router of [listener('a'), other]) echoes.join(router);
  const chunks = 'A'.repeat(65_536);
  const all = Array.from({ length: 3_000 }, (_, n) =>
    echoes.dispatched('a', open(n + 1, { chunks: n % 2 === 0 ? chunks : '' })),
  );
  clock.advance(20);
  const told = other.heard.length;
  expect(told).toBeGreaterThan(60);
  expect(told).toBeLessThan(200);
  for (const echoed of all) echoed.over();
  clock.advance(20);
  expect(other.heard.filter((event) => event.startsWith('over')).length).toBe(told);
  for (const echo of other.messages) {
    expect(Echo.parse(echo)).toEqual(echo);
    expect(JSON.stringify(echo).length).toBeLessThan(2 * 1024 * 1024);
  }
});

function listener(router: string) {
  const heard: string[] = [];
  const messages: Echo[] = [];
  return {
    router,
    heard,
    messages,
    full: false,
    isFull(): boolean {
      return this.full;
    },
    send(echo: Echo): void {
      messages.push(echo);
      heard.push(...echo.events.map(({ at, stream }) => `${at} ${stream}`));
    },
  };
}

function open(stream: number, of: Partial<Open> = {}): Open {
  return {
    type: 'open',
    stream,
    request: 'req_1',
    attempt: 1,
    worker: 'engine',
    model: MODEL.id,
    endpoint: 'chat',
    streamed: true,
    completionId: 'chatcmpl-1',
    maxTokens: 1,
    salt: '0123456789abcdef0123456789abcdef',
    bodyBytes: 2,
    chunks: CHUNKS,
    promptTokens: 9,
    uncachedTokens: 5,
    grant: AMPLE,
    ...of,
  };
}
