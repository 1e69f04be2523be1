/** The limits on how many control messages a router reads from an agent. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { boundLoads } from '../../../agent/load.ts';
import { Session } from '../../../router/fleet/session.ts';
import { fromAgentBounds, fromRouterBounds, limits, loadTotals } from '../../../shared/limits.ts';
import { makeLog } from '../../../shared/log.ts';
import { MessageBudget, typeOf } from '../../../shared/wire/message-budget.ts';
import { FromAgent, type Load } from '../../../shared/wire/messages.ts';
import { answerPings } from '../../../shared/wire/pings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { idleEngine } from '../control/dialing-agent.ts';
import { AGENT, openSocketPair } from './socket-pair.ts';

async function pair() {
  const { undo, agent, socket, connection } = await openSocketPair({ autoPong: false });
  const clock = new ManualClock();
  answerPings(socket, clock);
  const loads: Load[] = [];
  const heard = { echoes: 0, gone: 0 };
  new Session(socket, AGENT, {
    connection,
    clock,
    log: makeLog('test', 'silent'),
    fleet: {
      load: (_session, said) => loads.push(said),
      drain() {},
      echo: () => (heard.echoes += 1),
      gone: () => (heard.gone += 1),
    },
  });
  const ended = once(agent, 'close').then(([code, reason]) => [Number(code), String(reason)]);
  const say = (message: object | string) =>
    agent.send(typeof message === 'string' ? message : JSON.stringify(message));
  /** Resolves when the router has read everything that was sent. */
  const read = async () => {
    const drained = heard.echoes + 1;
    say({ type: 'echo', worker: 'w', events: [] });
    while (heard.echoes < drained && heard.gone === 0) await new Promise((t) => setImmediate(t));
  };
  return Object.assign(undo, { agent, clock, loads, heard, ended, say, read });
}

function load(workers: number, more: object = {}): Load {
  const worker = (nth: number) => ({ ...idleEngine(`w${nth}`), ...more });
  return { type: 'load', workers: Array.from({ length: workers }, (_, nth) => worker(nth)) };
}

test('a load report larger than any fleet needs ends the session before it is parsed', async () => {
  await using link = await pair();
  link.say(load(256, { notes: Array.from({ length: 16 }, () => 'n'.repeat(512)) }));
  expect(await link.ended).toEqual([4000, 'a message of type load is too large']);
  expect(link.loads).toEqual([]);
});

test('of load reports that come too fast the newest is looked at, and the session goes on', async () => {
  await using link = await pair();
  const sent = 5 * limits.linkLoads.reports.burst;
  for (let nth = 1; nth <= sent; nth++) link.say(load(1, { running: nth }));
  await link.read();
  expect(link.loads).toHaveLength(limits.linkLoads.reports.burst);
  link.clock.advance(1_000);
  expect(link.loads.length).toBe(limits.linkLoads.reports.burst + 1);
  expect(link.loads.at(-1)?.workers[0]?.running).toBe(sent);
  expect(link.heard.gone).toBe(0);
});

test('large load reports are looked at up to so many bytes in a second', async () => {
  await using link = await pair();
  const large = load(200, {
    models: Array.from({ length: 20 }, (_, n) => `${'m'.repeat(80)}${n}`),
  });
  const { length } = JSON.stringify(large);
  expect(length).toBeGreaterThan(fromAgentBounds.bytesMax.load / 2);
  for (let nth = 0; nth < 20; nth++) link.say(large);
  await link.read();
  expect(link.loads.length).toBe(Math.floor(limits.linkLoads.bytes.burst / length));
  expect(link.heard.gone).toBe(0);
});

test('bytes of messages without end end the session', async () => {
  await using link = await pair();
  const large = JSON.stringify(load(700)).slice(0, fromAgentBounds.bytesMax.load);
  const sent = Math.ceil(fromAgentBounds.bytes.burst / large.length) + 1;
  for (let nth = 0; nth < sent; nth++) link.say(large.padEnd(fromAgentBounds.bytesMax.load));
  const [code, reason] = await link.ended;
  expect(code).toBe(4000);
  // The router parses the first message, which is no valid load report, so either rule may end the
  // session.
  expect(['a message does not parse', expect.stringContaining('bytes')]).toContainEqual(reason);
});

describe.each([
  ['refused', { type: 'refused', stream: 1, reason: 'busy' }],
  ['counted', { type: 'counted', id: 1, prompt: null, answer: null }],
  ['drain', { type: 'drain', worker: 'w' }],
  ['ack', { type: 'ack', bytes: 0 }],
  ['echo', { type: 'echo', worker: 'w', events: [] }],
])('a flood of %s', (_type, message) => {
  test('ends the session', async () => {
    await using link = await pair();
    const text = JSON.stringify(message);
    for (let nth = 0; nth <= fromAgentBounds.messages.burst; nth++) link.say(text);
    expect(await link.ended).toEqual([4000, 'too many messages in a short time']);
    expect(link.heard.gone).toBeGreaterThan(0);
  });
});

test('as many messages as an agent needs are heard for any time', async () => {
  await using link = await pair();
  for (let second = 0; second < 10; second++) {
    for (let nth = 0; nth < fromAgentBounds.messages.perSecond - 10; nth++) {
      link.say({ type: 'ack', bytes: 0 });
    }
    await link.read();
    link.clock.advance(1_000);
  }
  expect(link.heard.gone).toBe(0);
});

test('a flood of pings is not answered, and ends the link', async () => {
  await using link = await pair();
  let pongs = 0;
  link.agent.on('pong', () => {
    pongs += 1;
  });
  for (let nth = 0; nth < 2_000; nth++) link.agent.ping();
  await link.ended;
  expect(pongs).toBeLessThanOrEqual(limits.linkPings.burst);
  expect(link.heard.gone).toBeGreaterThan(0);
});

test('fields that a later release has added to a message are ignored', async () => {
  await using link = await pair();
  const later = load(1, { later: { nested: [1, 2] } });
  link.say({ ...later, later: 'field' });
  await link.read();
  expect(link.loads).toEqual([load(1)]);
  expect(link.heard.gone).toBe(0);
});

test('a message of a type that the router does not know ends the session, and says so', async () => {
  for (const type of ['later_message', 'open']) {
    await using link = await pair();
    link.say({ type, field: 1 });
    expect(await link.ended).toEqual([4000, `a message has the unknown type ${type}`]);
  }
});

test('a message that does not begin with its type ends the session', async () => {
  for (const text of ['{"workers":[],"type":"load"}', '{"type":"lo', '[]']) {
    await using link = await pair();
    link.say(text);
    expect(await link.ended).toEqual([4000, 'a message does not begin with its type']);
  }
});

test('a message of many small values ends the session before it is parsed', async () => {
  await using link = await pair();
  link.say(`{"type":"echo","worker":"w","events":[${'[],'.repeat(100_000)}[]]}`);
  expect(await link.ended).toEqual([4000, 'a message of type echo has too many values']);
});

test('a router that floods its agent with messages is as much at fault', () => {
  const budget = new MessageBudget(new ManualClock(), fromRouterBounds);
  const grant = Buffer.from('{"type":"grant","stream":1,"tokens":1,"bytes":1,"final":false}');
  let taken = 0;
  while (budget.fault(typeOf(grant), grant) === null) taken += 1;
  expect(taken).toBe(fromRouterBounds.messages.burst);
  const open = Buffer.from(
    `{"type":"open","chunks":"${'x'.repeat(fromRouterBounds.bytesMax.open)}`,
  );
  expect(budget.fault(typeOf(open), open)).toBe('a message of type open is too large');
});

test('an agent with more engines than a report has room for stays within it', () => {
  const gpu = { name: 'g'.repeat(200), memoryUsedBytes: 1, memoryTotalBytes: 2, use: 0 };
  const { workers } = load(256, {
    models: Array.from({ length: 100 }, (_, nth) => `model-${nth}`),
    gpus: Array.from({ length: 8 }, () => gpu),
    notes: Array.from({ length: 16 }, () => 'n'.repeat(512)),
  });
  const bounded: Load = { type: 'load', workers: boundLoads(workers) };
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(fromAgentBounds.bytesMax.load);
  expect(FromAgent.safeParse(bounded).success).toBe(true);
  expect(bounded.workers.flatMap(({ models }) => models)).toHaveLength(loadTotals.models);
  const small = load(8, { notes: ['a note'] });
  expect(boundLoads(small.workers)).toEqual(small.workers);
});

test('a report that lists more in all than its totals is no report', () => {
  const models = Array.from({ length: 1_024 }, (_, nth) => `${nth}`);
  expect(FromAgent.safeParse(load(4, { models })).success).toBe(true);
  expect(FromAgent.safeParse(load(5, { models })).success).toBe(false);
});
