/** A worker thread that parses and checks bodies, one after another. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../../shared/thread-priority.ts';
import type { FromThread, BodyResult, ToThread } from './messages.ts';

if (!parentPort) throw new Error('the reader of bodies runs as a thread');
const port = parentPort;
// The event loop serves all streams, so the parsing of large bodies yields to it.
lowerPriority('below normal');
// Loading these modules takes about a tenth of a second, so it comes after lowering the priority.
const [{ isFault }, { joined }, { readRequest }] = await Promise.all([
  import('./fault.ts'),
  import('./join.ts'),
  import('./read.ts'),
]);

port.on('message', ({ blocks, ...how }: ToThread) => {
  const received = joined(blocks);
  const read = readRequest({ bytes: received, ...how });
  const result: BodyResult = isFault(read) ? { fault: read.plain() } : { facts: read.facts };
  const bytes = isFault(read) ? received : read.bytes;
  const answer: FromThread = { kind: 'read', result, bytes };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  port.postMessage(answer, [bytes.buffer]);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
port.postMessage({ kind: 'ready' } satisfies FromThread);
