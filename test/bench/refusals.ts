/**
 * `npm run bench:refusals`: what a flood of refused requests costs the others. An organization whose
 * rate limit is used up sends requests without end, beside honest requests at a steady rate. Prints
 * the rate of refusals reached, the CPU time of the router for each of them, its memory before,
 * during and after, the latency of honest requests with and without the flood, and whether the
 * counts in the API are exact. A short flood goes before, because programs compile as they run.
 *
 * `--rate 20000` is the rate of refusals wanted, `--seconds 60` how long each half lasts, `--honest 20`
 * the honest requests a second. Client and router share the machine, which bounds the rate.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { limits } from '../../shared/limits.ts';
import { until, Up } from '../support/up.ts';
import { sendHonestRequests } from './honest-requests.ts';
import { spread } from './spread.ts';

const { values: flags } = parseArgs({
  options: {
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '60' },
    honest: { type: 'string', default: '20' },
  },
});
const [rate, seconds, honestRate] = [flags.rate, flags.seconds, flags.honest].map(Number) as [
  number,
  number,
  number,
];
const CONNECTIONS = 32;
const TICKS_A_SECOND = 100;
const STATUS_LINE = 'HTTP/1.1 ';
/** How long a flood that is not counted goes before. */
const WARM_UP_MS = 3_000;
/** The flood is sent in slices of this length. */
const SLICE_MS = 10;

const body = JSON.stringify({
  model: 'minimax/minimax-m3',
  max_tokens: 4,
  messages: [{ role: 'user', content: 'Hello.' }],
});

await using up = await Up.start();
const dispatcher = new Agent({ connections: 16 });
const flooding = await up.customer('Flooding');
const setLimit = (id: string, perMinute: string) =>
  up.admin('organization', 'limits', '--organization', id, '--requests-per-minute', perMinute);
await setLimit(flooding.id, '1');
await setLimit(up.first.organization.id, '1000000');

async function send(key: string): Promise<number> {
  const { statusCode, body: answer } = await request(`${up.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    dispatcher,
  });
  await answer.dump();
  return statusCode;
}

/** Sends honest requests for as long as one half lasts. Returns their latencies in ms. */
const beHonest = () =>
  sendHonestRequests({
    url: `${up.origin}/v1/chat/completions`,
    key: up.first.api_key,
    body,
    perSecond: honestRate,
    seconds,
  });

/**
 * Returns how many requests were refused. The requests are written as bytes, several at once on each
 * connection, because a real HTTP client would use up the cores of the router.
 */
async function flood(stopped: AbortSignal): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, FloodConnection.connect),
  );
  const start = performance.now();
  for (let sent = 0; !stopped.aborted; ) {
    const due = Math.floor(((performance.now() - start) * rate) / 1_000);
    for (const connection of connections) sent += connection.send(due - sent);
    await pause(SLICE_MS);
  }
  await until(() => connections.every(({ open }) => open === 0), 'the answers of the flood');
  for (const connection of connections) connection.end();
  return connections.reduce((sum, { refused }) => sum + refused, 0);
}

/** One connection of the flood, with at most `limits.pipelinedMax` requests that have no answer. */
class FloodConnection {
  static readonly #request = Buffer.from(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `Host: ${new URL(up.origin).host}`,
      `Authorization: Bearer ${flooding.key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );

  readonly #socket: Socket;
  open = 0;
  refused = 0;
  /** The end of what was read, where the first line of an answer may begin. */
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1').on('data', (text: string) => this.#read(text));
  }

  static async connect(this: void): Promise<FloodConnection> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(up.origin).port) });
    await once(socket, 'connect');
    return new FloodConnection(socket);
  }

  /** Sends up to `count` requests. Returns how many were sent. */
  send(count: number): number {
    const sent = Math.max(0, Math.min(count, limits.pipelinedMax - this.open));
    if (sent > 0)
      this.#socket.write(
        Buffer.concat(Array.from({ length: sent }, () => FloodConnection.#request)),
      );
    this.open += sent;
    return sent;
  }

  end(): void {
    this.#socket.end();
  }

  #read(text: string): void {
    const read = this.#rest + text;
    let from = 0;
    let at = read.indexOf(STATUS_LINE);
    while (at >= 0 && at + STATUS_LINE.length + 3 <= read.length) {
      from = at + STATUS_LINE.length;
      this.open -= 1;
      if (read.startsWith('429', from)) this.refused += 1;
      at = read.indexOf(STATUS_LINE, from);
    }
    this.#rest = read.slice(at >= 0 ? at : Math.max(from, read.length - STATUS_LINE.length));
  }
}

async function memoryMib(): Promise<number> {
  const status = await readFile(`/proc/${up.ready.pids.router}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** The CPU time that the router has used so far, in ms. */
async function cpuMs(): Promise<number> {
  const text = await readFile(`/proc/${up.ready.pids.router}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * (1_000 / TICKS_A_SECOND);
}

/** The greatest memory in each quarter of the flood. */
async function memoryByQuarter(stopped: AbortSignal): Promise<number[]> {
  const peaks = [0, 0, 0, 0];
  const start = performance.now();
  while (!stopped.aborted) {
    const quarter = Math.min(3, Math.floor(((performance.now() - start) * 4) / (seconds * 1_000)));
    peaks[quarter] = Math.max(peaks[quarter] as number, await memoryMib());
    await pause(250);
  }
  return peaks;
}

function latencies(took: readonly number[]): string {
  const { p50, p99 } = spread(took);
  return `p50 ${p50} ms, p99 ${p99} ms (${took.length} requests)`;
}

/** All refusals that the API counts, once they no longer change. */
async function counted(): Promise<number> {
  await pause(3_000);
  const { total } = await up.api('GET', `/organizations/${flooding.id}/refusals/counts?bucket=day`);
  return total as number;
}

// A router compiles its code as it runs. The second request of the flooding key is refused.
for (let i = 0; i < 50; i++) await send(up.first.api_key);
await send(flooding.key);
const warm = await flood(AbortSignal.timeout(WARM_UP_MS));
const started = await cpuMs();
const alone = await beHonest();
const cpuAlone = (await cpuMs()) - started;
const [before, cpuBefore] = [await memoryMib(), await cpuMs()];
const stopping = new AbortController();
const flooded = flood(stopping.signal);
const watched = memoryByQuarter(stopping.signal);
const beside = await beHonest();
stopping.abort();
const [refused, peaks] = [await flooded, await watched];
const cpu = (await cpuMs()) - cpuBefore - cpuAlone;
await pause(2_000);
const after = await memoryMib();
const total = await counted();
process.stdout.write(
  [
    `refused a second: ${Math.round(refused / seconds)} (wanted ${rate})`,
    `CPU of the router: ${((cpu * 1_000) / refused).toFixed(1)} us a refusal`,
    `memory of the router: ${before} MiB before, ${peaks.join(', ')} MiB at most in each quarter, ${after} MiB after`,
    `honest requests alone: ${latencies(alone)}`,
    `honest requests beside the flood: ${latencies(beside)}`,
    `counted by the API: ${total} of ${warm + refused}`,
    '',
  ].join('\n'),
);
await dispatcher.close();
