/**
 * T10: clients that request streams of about 10 MB and read nothing. Each costs the router less
 * than 256 KB. All are cut at the stall limit and pay for what was generated. A client that reads
 * is served meanwhile, and afterwards no hold is left.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../shared/limits.ts';
import { PICO_PER_USD } from '../../shared/money.ts';
import { until } from '../support/up.ts';
import type { Fleet, Router } from './fleet.ts';
import { MODEL } from './load.ts';
import { borrow, type Outcome, type Stage } from './scene.ts';

const READER_BYTES_MAX = 256 * 1024;
const ANSWER_TOKENS = 45_000;
/**
 * The answer length of the clients that do read. As many of them come first, so that the memory
 * that a router of this throughput needs anyway is already allocated.
 */
const WARM_UP_TOKENS = 1_000;
const LOOK_MS = 250;
/** Time for all streams to begin, and to be cut on a busy machine. */
const SLACK_MS = 240_000;

export async function slowReaders(
  stage: Stage,
  { readers }: Readonly<{ readers: number }>,
): Promise<Outcome> {
  await using loan = await borrow(stage, { tokenMs: 1, agents: 2 });
  const { fleet } = loan;
  const router = fleet.router(0);
  const { key } = await fleet.office.customer('Slow', 1_000n * PICO_PER_USD);
  const reads = (tokens: number) =>
    fleet.log.ask({
      base: router.base,
      key,
      model: MODEL,
      prompt: `Write exactly ${tokens} tokens.`,
      maxTokens: ANSWER_TOKENS,
    });
  await Promise.all(Array.from({ length: readers }, () => reads(WARM_UP_TOKENS)));
  const before = (await figuresOf(router)).bytes;

  const sockets = Array.from({ length: readers }, () => unread(router, key));
  const faults: string[] = [];
  const seen = await watchThem(fleet, router, readers, async () => {
    const { ending } = await reads(20);
    if (ending !== 'complete') faults.push(`a reader who reads was ${ending}`);
  });
  for (const socket of sockets) socket.destroy();
  const perReader = Math.round((seen.peak - before) / seen.most);
  if (perReader > READER_BYTES_MAX) faults.push(`a reader cost ${perReader} bytes`);
  if (seen.most < readers / 2) faults.push(`only ${seen.most} of them stalled at once`);
  const holdsMs = await fleet.settled();
  const difference = await fleet.verify();
  if (difference !== null) faults.push(difference);
  return {
    figures: {
      readers,
      'at once': seen.most,
      'MB before': Math.round(before / 1e6),
      'MB at most': Math.round(seen.peak / 1e6),
      'KB a reader': Math.round(perReader / 1024),
      'KB a reader at rest': Math.round((seen.atRest - before) / seen.most / 1024),
      'all cut after s': Math.round(seen.ms / 1_000),
      'no hold after ms': holdsMs,
    },
    violations: faults,
  };
}

/**
 * A client that sends a request and never reads. The answer stays in its socket until that is full.
 */
function unread(router: Router, key: string): Socket {
  const { hostname, port } = new URL(router.origin);
  const body = JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: `Write exactly ${ANSWER_TOKENS} tokens.` }],
    max_tokens: ANSWER_TOKENS,
    stream: true,
  });
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.pause();
  return socket.on('error', () => {});
}

/**
 * Polls until the last stream is cut. Returns the highest memory that was seen, and the most
 * streams at one time.
 */
async function watchThem(
  fleet: Fleet,
  router: Router,
  readers: number,
  askBeside: () => Promise<void>,
): Promise<{ peak: number; atRest: number; most: number; ms: number }> {
  const start = performance.now();
  let [peak, atRest, most] = [0, 0, 0];
  await until(
    async () => (await figuresOf(router)).holds >= Math.min(readers, 50),
    'the slow readers',
    SLACK_MS,
  );
  const deadline = performance.now() + limits.writeStallMsMax + SLACK_MS;
  for (;;) {
    const now = await figuresOf(router);
    peak = Math.max(peak, now.bytes);
    most = Math.max(most, now.holds);
    // Overwritten until the first stream is cut, so the last value at full count remains.
    if (now.holds === most) atRest = now.bytes;
    if (now.holds === 0) return { peak, atRest, most, ms: performance.now() - start };
    if (performance.now() > deadline) throw new Error(`${now.holds} of them were never cut`);
    await askBeside();
    await pause(LOOK_MS);
    if (!fleet.router(0).process.isRunning) throw new Error('the router is gone');
  }
}

async function figuresOf(router: Router): Promise<{ bytes: number; holds: number }> {
  const page = await (await fetch(router.metricsUrl)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  return {
    bytes: figure('process_resident_memory_bytes'),
    holds: figure('penstock_router_holds'),
  };
}
