/**
 * `npm run bench:bodies`: the effect on a real router of request bodies that are small in bytes and
 * expensive to read, from accounts without credit, each body alone and sixteen at once. Prints the
 * longest stall of the router's event loop (its own metric, with a resolution of 10 ms) and the
 * memory of its process before, at its peak and after.
 *
 * `--sizes 1,8` selects the sizes in MiB, `--only text` the cases by a part of their names, and
 * `--accounts 4` the number of accounts that send the sixteen.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Up } from '../support/up.ts';

const MIB = 1024 * 1024;
const TOGETHER = 16;
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const ANSWER_MS_MAX = 120_000;

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,8,31' },
    only: { type: 'string', default: '' },
    accounts: { type: 'string', default: '4' },
  },
});

/** A body as it is sent after the request's head. */
type Body = Readonly<{ framing: string; bytes: Buffer }>;

function whole(text: string): Body {
  const bytes = Buffer.from(text);
  return { framing: `Content-Length: ${bytes.length}`, bytes };
}

function filled(head: string, item: string, tail: string, bytes: number): Body {
  const count = Math.floor((bytes - head.length - tail.length - item.length) / (item.length + 1));
  return whole(`${head}${`${item},`.repeat(Math.max(0, count))}${item}${tail}`);
}

const START = `{"model":"${MODEL}","messages":[`;
const HELLO = '{"role":"user","content":"Hello."}';

const CASES: Readonly<Record<string, (bytes: number) => Body>> = {
  'messages of {}': (bytes) => filled(START, '{}', ']}', bytes),
  'x of []': (bytes) => filled(`${START}${HELLO}],"x":[`, '[]', ']}', bytes),
  'messages that are valid': (bytes) => filled(START, '{"role":"user","content":""}', ']}', bytes),
  'parts of {}': (bytes) => filled(`${START}{"role":"user","content":[`, '{}', ']}]}', bytes),
  'stops that are numbers': (bytes) => filled(`${START}${HELLO}],"stop":[`, '1', ']}', bytes),
  'text of one message': (bytes) =>
    whole(`${START}{"role":"user","content":"${'word '.repeat(bytes / 5 - 40)}"}]}`),
  'text outside Latin-1': (bytes) =>
    whole(`${START}{"role":"user","content":"${'wörd 字 '.repeat(bytes / 10 - 40)}"}]}`),
  'escapes of a backslash': (bytes) =>
    whole(`${START}{"role":"user","content":"${'\\\\'.repeat(bytes / 2 - 80)}"}]}`),
  'chunks of one byte': (bytes) => ({
    framing: 'Transfer-Encoding: chunked',
    bytes: Buffer.from(`${'1\r\n \r\n'.repeat(bytes / 6)}0\r\n\r\n`),
  }),
};

type Target = Readonly<{ origin: string; key: string }>;

/** Sends one request. Returns its status, or how it ended without one. */
async function send({ origin, key }: Target, { framing, bytes }: Body): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString('latin1');
    if (heard.includes('"request_id"')) socket.destroy();
  });
  socket.on('error', () => {});
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
  socket.write(
    'POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${key}\r\n${framing}\r\n\r\n`,
  );
  socket.write(bytes);
  await once(socket, 'close');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 'cut';
  return `${status} ${/"code":"(\w+)"/.exec(heard)?.[1] ?? ''}`.trim();
}

class Router {
  readonly #up: Up;
  constructor(up: Up) {
    this.#up = up;
  }

  async #memory(field: 'VmRSS' | 'VmHWM'): Promise<number> {
    const status = await readFile(`/proc/${this.#up.ready.pids.router}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  }

  /** The longest stall since the last call, in ms. */
  async #stallMs(): Promise<number> {
    const text = await this.#up.metrics();
    const lag = /^nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m.exec(text)?.[1];
    return Math.round(Number(lag) * 1000);
  }

  async measure(act: () => Promise<readonly string[]>): Promise<string> {
    await pause(1_500);
    await this.#stallMs();
    await writeFile(`/proc/${this.#up.ready.pids.router}/clear_refs`, '5');
    const before = await this.#memory('VmRSS');
    const start = performance.now();
    const answers = await act();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    await pause(50);
    const stall = await this.#stallMs();
    const peak = await this.#memory('VmHWM');
    await pause(1_000);
    const after = await this.#memory('VmRSS');
    return `${stall} | ${before} | ${peak} | ${after} | ${seconds} | ${counted(answers)}`;
  }
}

function counted(answers: readonly string[]): string {
  const counts = Map.groupBy(answers, (answer) => answer);
  return [...counts].map(([answer, { length }]) => `${length} × ${answer}`).join(', ');
}

/** Returns the key of an account without credit. */
async function broke(up: Up): Promise<string> {
  const { id, key } = await up.customer('Broke');
  await up.admin('credit', 'adjust', '--organization', id, '--amount', '-5', '--reason', 'bench');
  return key;
}

async function run(name: string, bytes: number, times: number): Promise<void> {
  // Each case has its own router, because some cases used to kill it.
  await using up = await Up.start();
  const accounts = Array.from({ length: times > 1 ? Number(flags.accounts) : 1 }, () => broke(up));
  const keys = await Promise.all(accounts);
  const body = CASES[name]?.(bytes) ?? whole('');
  const targets = keys.map((key) => ({ origin: up.origin, key }));
  const [target] = targets as [Target];
  // Warm-up: what a router compiles and starts once is not measured.
  // The sizes are those of the event loop and of the two threads that read larger bodies.
  for (const words of [1, 10_000, 300_000]) {
    // A router remembers for 250 ms that an account has no credit, and then reads no body.
    await pause(300);
    await send(target, whole(`${START}{"role":"user","content":"${'word '.repeat(words)}"}]}`));
  }
  const router = new Router(up);
  const figures = await router
    .measure(() =>
      Promise.all(
        Array.from({ length: times }, (_, nth) =>
          send(targets[nth % targets.length] as Target, body),
        ),
      ),
    )
    .catch((error: unknown) => `the router is gone (${String(error).slice(0, 60)})`);
  process.stdout.write(`| ${name} | ${bytes / MIB} | ${times} | ${figures} |\n`);
}

process.stdout.write(
  '| Body | MiB | At once | Stall ms | MiB before | Peak | After | Seconds | Answers |\n' +
    '|---|---:|---:|---:|---:|---:|---:|---:|---|\n',
);
for (const name of Object.keys(CASES).filter((one) => one.includes(flags.only))) {
  for (const size of flags.sizes.split(',').map(Number)) {
    for (const times of [1, TOGETHER]) await run(name, size * MIB, times);
  }
}
