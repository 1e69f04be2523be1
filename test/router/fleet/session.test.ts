/** The router's end of a link to an agent that does not read. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Session } from '../../../router/fleet/session.ts';
import { limits } from '../../../shared/limits.ts';
import { makeLog } from '../../../shared/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { AGENT, openSocketPair } from './socket-pair.ts';

async function pair() {
  const { undo, agent, socket, connection } = await openSocketPair();
  const clock = new ManualClock();
  const heard = { loads: 0, gone: 0 };
  const session = new Session(socket, AGENT, {
    connection,
    clock,
    log: makeLog('test', 'silent'),
    fleet: {
      load: () => (heard.loads += 1),
      drain() {},
      echo() {},
      gone: () => (heard.gone += 1),
    },
  });
  /** The agent sends a load report. Resolves when the router has received it. */
  const talk = async () => {
    const next = heard.loads + 1;
    agent.send(JSON.stringify({ type: 'load', workers: [] }));
    while (heard.loads < next) await new Promise((turn) => setImmediate(turn));
  };
  return Object.assign(undo, { agent, socket, connection, session, clock, heard, talk });
}

/** More than the two sockets' buffers hold, so the rest is queued in the router. */
const FLOOD = { type: 'peers' as const, routers: ['x'.repeat(64 * 1024)] };

test('an agent that talks and does not read gets no new work, and its session ends', async () => {
  await using link = await pair();
  const { agent, session, clock, heard, talk } = link;
  expect(session.isClogged).toBe(false);
  agent.pause();
  while (!session.isClogged) {
    session.send(FLOOD);
    await new Promise((turn) => setImmediate(turn));
  }
  for (let waited = 0; heard.gone === 0; waited += limits.linkPingMs) {
    expect(waited).toBeLessThanOrEqual(2 * limits.linkSilenceMsMax);
    await talk();
    clock.advance(limits.linkPingMs);
  }
});

test('an agent that reads slowly, and answers in the end, is kept', async () => {
  await using link = await pair();
  const { agent, socket, session, clock, heard, talk } = link;
  for (let beats = 0; beats < 10; beats++) {
    const pong = once(socket, 'pong');
    agent.pause();
    for (let n = 0; n < 100; n++) session.send(FLOOD);
    clock.advance(limits.linkPingMs);
    await talk();
    agent.resume();
    await pong;
  }
  expect(heard.gone).toBe(0);
  expect(session.isClogged).toBe(false);
});

test('what is sent in one turn of the event loop is gathered', async () => {
  await using link = await pair();
  const corked = () => link.connection.writableCorked;
  link.session.send({ type: 'peers', routers: [] });
  link.session.send({ type: 'peers', routers: [] });
  expect(corked()).toBe(1);
  await new Promise((turn) => setImmediate(turn));
  expect(corked()).toBe(0);
});

test('an agent hears why its session ends, also when more is sent to it in that turn', async () => {
  await using link = await pair();
  const ended = once(link.agent, 'close');
  link.socket.prependListener('message', () => link.session.send({ type: 'peers', routers: [] }));
  link.agent.send('nonsense');
  const [code, reason] = await ended;
  expect([code, String(reason)]).toEqual([4000, 'a message does not begin with its type']);
});
