/**
 * A separate process for idle streams: both the clients, on raw sockets, and the host, an agent
 * that writes a token into each stream and then almost nothing.
 */
import { connect, type Socket } from 'node:net';
import type { Open } from '../../shared/wire/messages.ts';
import { newAgentKey } from '../router/control/dialing-agent.ts';
import { FakeAgent } from './fake-agent.ts';

/** A model that only this host serves. */
export const IDLE_MODEL = 'moonshotai/kimi-k2.5';
const SLOTS = 20_000;
const MAX_TOKENS = 500;
const PROMPT_TOKENS = 12;
const EVERY_MS = 1_000;
/**
 * The time between two tokens of a stream, in rounds of `EVERY_MS`. A router gives up a stream of
 * which it hears nothing for two minutes.
 */
const ROUNDS = 40;
/** The addresses of the clients: one alone may not have so many connections. */
const ADDRESSES = 8;
/** How much of an answer is kept, for its end or a failure. */
const HEARD_CHARS_MAX = 400;
/** Pieces are read into one buffer by all clients, because each is used before the next read. */
const PIECE = Buffer.allocUnsafe(64 * 1024);

export type IdleOrder =
  | Readonly<{ kind: 'serve'; origin: string; join: string; key: string }>
  /** Begins this many streams, some at a time. Those that are not idle end at once. */
  | Readonly<{ kind: 'begin'; count: number; atOnce: number; isIdle: boolean }>
  /** The host ends all streams. */
  | Readonly<{ kind: 'end' }>;
/** Streams that have begun, that ended whole, and that failed, since the last order to begin. */
export type IdleCounts = { begun: number; complete: number; failed: number; failure: string };

let service: Extract<IdleOrder, { kind: 'serve' }>;
let isIdle = false;
let counts: IdleCounts = none();
let onCount = () => {};
/** The host's streams by number, with the tokens of each. */
const held = new Map<number, number>();
let host: FakeAgent;
let lastStream = 0;

process.on('disconnect', () => process.exit(0));
process.on('message', (order) => {
  void obey(order as IdleOrder).then(() => process.send?.(counts));
});

async function obey(order: IdleOrder): Promise<void> {
  if (order.kind === 'serve') return await serve(order);
  if (order.kind === 'begin') return await begin(order);
  for (const [stream, tokens] of held) host.end(stream, PROMPT_TOKENS, tokens);
  const begun = counts.begun;
  held.clear();
  await counted(() => counts.complete + counts.failed >= begun);
}

async function serve(order: typeof service): Promise<void> {
  service = order;
  const { origin, join } = order;
  host = await FakeAgent.dial(origin, { key: newAgentKey(), join, model: IDLE_MODEL });
  host.onOpen = answer;
  report();
  let round = 0;
  setInterval(() => {
    report();
    trickle(round++ % ROUNDS);
  }, EVERY_MS).unref();
}

function report(): void {
  host.report({ slots: SLOTS, running: held.size, lastStream });
}

function answer({ stream }: Open): void {
  lastStream = stream;
  host.content(stream, PROMPT_TOKENS, 1, 'One');
  if (isIdle) held.set(stream, 1);
  else host.end(stream, PROMPT_TOKENS, 1);
}

/** Writes one more token into the streams whose turn it is. */
function trickle(turn: number): void {
  for (const [stream, tokens] of held) {
    if (stream % ROUNDS !== turn) continue;
    held.set(stream, tokens + 1);
    host.content(stream, PROMPT_TOKENS, tokens + 1, ' more');
  }
}

async function begin(order: Extract<IdleOrder, { kind: 'begin' }>): Promise<void> {
  isIdle = order.isIdle;
  counts = none();
  let sent = 0;
  onCount = () => {
    const { begun, complete, failed } = counts;
    // A stream that failed after it had begun counts twice here, which only begins others sooner.
    const settled = isIdle ? begun + failed : complete + failed;
    while (sent < order.count && sent - settled < order.atOnce) open(sent++);
  };
  onCount();
  await counted(() => (isIdle ? counts.begun : counts.complete) + counts.failed >= order.count);
}

/** Resolves when the counts are `so`. */
async function counted(so: () => boolean): Promise<void> {
  const next = onCount;
  await new Promise<void>((resolve) => {
    onCount = () => {
      next();
      if (so()) resolve();
    };
    onCount();
  });
  onCount = () => {};
}

/** A client. Its stream has begun when text has arrived, and is whole when `[DONE]` has. */
function open(nth: number): void {
  const { hostname, port } = new URL(service.origin);
  const body = JSON.stringify({
    model: IDLE_MODEL,
    messages: [{ role: 'user', content: `Count to ${nth}.` }],
    max_tokens: MAX_TOKENS,
    stream: true,
  });
  let heard = '';
  let hasBegun = false;
  const hear = (length: number): boolean => {
    heard += PIECE.toString('latin1', 0, length);
    const isWhole = heard.includes('data: [DONE]');
    if (!hasBegun && heard.includes('"content":"One"')) {
      hasBegun = true;
      counts.begun += 1;
    }
    if (isWhole) {
      counts.complete += 1;
      heard = '';
      socket.removeAllListeners('close').destroy();
    } else if (hasBegun) {
      heard = heard.slice(-HEARD_CHARS_MAX);
    }
    onCount();
    return true;
  };
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    localAddress: `127.0.3.${1 + (nth % ADDRESSES)}`,
    onread: { buffer: PIECE, callback: hear },
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    counts.failed += 1;
    counts.failure ||= `after «${heard.slice(-HEARD_CHARS_MAX)}»`;
    onCount();
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${service.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function none(): IdleCounts {
  return { begun: 0, complete: 0, failed: 0, failure: '' };
}
