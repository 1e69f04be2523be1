/**
 * `node test/bench/buffers.ts [seconds]`: measures what strangers and one rogue agent do to a
 * router's event loop and memory: bodies in chunks of one byte, load reports of megabytes, silent
 * sockets on `/agent` while an agent enrols. Uses a real router, attacked from a separate process.
 * Prints a table without a verdict, because the machine may be busy.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DialingAgent, idleEngine, newAgentKey } from '../router/control/dialing-agent.ts';
import { FakeAgent } from '../torture/fake-agent.ts';
import { Fleet } from '../torture/fleet.ts';
import { SUBPROTOCOLS } from '../../shared/wire/protocol.ts';

const CONNECTIONS = 50;
const STRANGERS = 1_500;
const LOOK_MS = 250;
const AGAIN_MS = 10;
const MODEL = 'qwen/qwen3.5-397b-a17b';
const LAG_MAX = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;
const RSS = /^process_resident_memory_bytes (\S+)$/m;

type Attack =
  | Readonly<{ kind: 'quiet' }>
  | Readonly<{ kind: 'chunks'; path: string; chunk: string; host?: string }>
  | Readonly<{ kind: 'loads'; join: string }>
  | Readonly<{ kind: 'strangers' }>;

type Order = Readonly<{ origin: string; attack: Attack }>;

async function measure(): Promise<void> {
  const seconds = Number(process.argv[2] ?? 30);
  const { chunk, small } = { chunk: '1\r\nx\r\n', small: '2\r\n[]\r\n' };
  const attacks: [string, Attack | 'loads'][] = [
    ['nothing', { kind: 'quiet' }],
    ['one-byte chunks to /api/v1/sign-in', { kind: 'chunks', path: '/api/v1/sign-in', chunk }],
    ['the same to a Host that is not ours', { kind: 'chunks', path: '/', chunk, host: 'x' }],
    ['one-byte chunks to the webhook', { kind: 'chunks', path: '/api/v1/webhooks/stripe', chunk }],
    ['one-byte chunks without a session', { kind: 'chunks', path: '/api/v1/tokens', chunk: small }],
    ['load reports of 2.6 MB, seven a second', 'loads'],
    ['1,500 silent sockets of one address on /agent', { kind: 'strangers' }],
  ];
  process.stdout.write(
    '| Attack | Longest stall ms | MB before | MB at most | MB after | Honest ms |\n|---|---:|---:|---:|---:|---|\n',
  );
  for (const [name, attack] of attacks) {
    await using fleet = await Fleet.start({ agents: 0, models: [MODEL] });
    const join = () => token(fleet);
    const sent = attack === 'loads' ? { kind: 'loads' as const, join: await join() } : attack;
    process.stdout.write(`${await line(name, sent, { fleet, seconds, join })}\n`);
  }
}

async function token(fleet: Fleet): Promise<string> {
  const made = await fleet.office.call<{ join_token: string }>('POST', '/agents', { name: 'host' });
  return made.join_token;
}

async function line(
  name: string,
  attack: Attack,
  on: Readonly<{ fleet: Fleet; seconds: number; join: () => Promise<string> }>,
): Promise<string> {
  const router = on.fleet.router(0);
  const { origin, metricsUrl } = router;
  const known = newAgentKey();
  (await DialingAgent.dial(origin, known, await on.join()))[Symbol.dispose]();
  await pause(2_000);
  await look(metricsUrl);
  const before = await look(metricsUrl);
  const attacker = fork(fileURLToPath(import.meta.url), ['attack']);
  attacker.send({ origin, attack } satisfies Order);
  let [stallMs, most] = [0, before.mb];
  const honest: string[] = [];
  const end = performance.now() + on.seconds * 1000;
  for (let nth = 0; performance.now() < end; nth++) {
    await pause(LOOK_MS);
    const now = await look(metricsUrl);
    [stallMs, most] = [Math.max(stallMs, now.stallMs), Math.max(most, now.mb)];
    if (nth % 20 !== 10) continue;
    const joined = await took(async () =>
      DialingAgent.dial(origin, newAgentKey(), await on.join()),
    );
    honest.push(
      `enrolled ${joined}, back ${await took(() => DialingAgent.dial(origin, known, null))}`,
    );
  }
  await stop(attacker);
  await pause(3_000);
  const after = await look(metricsUrl);
  const figures = [stallMs, before.mb, most, after.mb].map((figure) => Math.round(figure));
  return `| ${name} | ${figures.join(' | ')} | ${honest.join('; ')} |`;
}

/** Returns how long an agent waits for its welcome, or that it is not let in. */
async function took(dial: () => Promise<DialingAgent>): Promise<string> {
  const start = performance.now();
  const late = pause(5_000).then(() => null);
  const agent = await Promise.race([dial().catch(() => undefined), late]);
  agent?.[Symbol.dispose]();
  return agent ? String(Math.round(performance.now() - start)) : agent === null ? 'late' : 'no';
}

async function look(metricsUrl: string): Promise<{ stallMs: number; mb: number }> {
  const page = await fetch(metricsUrl).then((answer) => answer.text());
  const figure = (pattern: RegExp) => Number(pattern.exec(page)?.[1] ?? Number.NaN);
  return { stallMs: figure(LAG_MAX) * 1000, mb: figure(RSS) / 1e6 };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function attackWith({ origin, attack }: Order): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  if (attack.kind === 'chunks') {
    for (let nth = 0; nth < CONNECTIONS; nth++) void forever(() => drip(origin, attack));
  }
  if (attack.kind === 'loads') void forever(() => report(origin, attack.join));
  if (attack.kind === 'strangers') {
    for (let nth = 0; nth < STRANGERS; nth++) void forever(() => wait(origin));
  }
}

async function forever(run: () => Promise<void>): Promise<void> {
  for (;;) {
    await run().catch(() => {});
    await pause(AGAIN_MS);
  }
}

function open(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  return { socket, closed: new Promise<void>((resolve) => socket.on('close', () => resolve())) };
}

/** Sends an endless body in the smallest possible chunks. */
async function drip(
  origin: string,
  { path, chunk, host }: Extract<Attack, { kind: 'chunks' }>,
): Promise<void> {
  const { socket, closed } = open(origin);
  const chunks = Buffer.from(chunk.repeat(4_096));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${host ?? new URL(origin).host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const more = () => {
    while (!socket.destroyed && socket.write(chunks)) continue;
  };
  socket.on('drain', more);
  more();
  await closed;
}

const keyOfLiar = newAgentKey();

async function report(origin: string, join: string): Promise<void> {
  const agent = await FakeAgent.dial(origin, { key: keyOfLiar, join, model: MODEL });
  const closed = once(agent.socket, 'close').then(() => true);
  const notes = Array.from({ length: 16 }, () => 'n'.repeat(512));
  const models = Array.from({ length: 100 }, (_, nth) => `model-${nth}`);
  const workers = Array.from({ length: 256 }, (_, nth) => ({
    ...idleEngine(`w${nth}`),
    notes,
    models,
  }));
  do for (let nth = 0; nth < 7; nth++) agent.send({ type: 'load', workers });
  while (!(await Promise.race([closed, pause(1_000).then(() => false)])));
}

/** Requests a WebSocket upgrade, and then sends nothing. */
async function wait(origin: string): Promise<void> {
  const { socket, closed } = open(origin);
  socket.write(
    'GET /agent HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Protocol: ${SUBPROTOCOLS.join()}\r\n\r\n`,
  );
  await closed;
}

if (process.argv[2] === 'attack') {
  process.on('message', (order) => void attackWith(order as Order));
} else {
  // Several promises reject when an agent is not let in. Only one of them is handled.
  process.on('unhandledRejection', () => {});
  await measure();
}
