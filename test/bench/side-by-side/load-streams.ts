/**
 * Streams that begin evenly within half a second and run side by side to their ends. Every stream
 * has its own connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { bounded } from './load-bound.ts';
import { LoadConnection, RequestBytes } from './load-connection.ts';
import { LoadCount } from './load-count.ts';
import type { Order, Seen } from './load-order.ts';

const RAMP_MS = 500;
/** A gap that is longer than this many nominal gaps is a stall. */
const STALL_GAPS = 10;

export async function runStreams(order: Order): Promise<Seen> {
  const requests = new RequestBytes(order);
  const count = new LoadCount(order);
  const ttftMs: number[] = [];
  const stallMs = (STALL_GAPS * 1000) / order.rate;
  let stalls = 0;
  const connections: LoadConnection[] = [];

  const stream = async (signal: AbortSignal, number: number) => {
    await pause((RAMP_MS * number) / order.count, undefined, { signal });
    const whole = Promise.withResolvers<void>();
    const begun = performance.now();
    let last = 0;
    const connection = new LoadConnection(order, {
      onTokens: (tokens) => {
        const now = performance.now();
        if (last === 0) ttftMs.push(now - begun);
        else if (count.isRunning && now - last > stallMs) stalls++;
        last = now;
        count.addTokens(tokens);
      },
      onWhole: () => {
        count.addAnswer();
        whole.resolve();
      },
      onFailure: whole.reject,
    });
    connections.push(connection);
    connection.send(requests.next());
    await whole.promise;
  };
  const begin = async (signal: AbortSignal) => {
    await pause(order.uncountedSeconds * 1000, undefined, { signal });
    count.begin();
  };
  const nominalMs = RAMP_MS + (order.tokens / order.rate) * 1000;
  await bounded(nominalMs, connections, (signal) => {
    const streams = Array.from({ length: order.count }, (_, number) => stream(signal, number));
    return Promise.all([begin(signal), ...streams]);
  });
  return { ...count.end(), ttftMs: quantilesOf(ttftMs), stalls };
}

function quantilesOf(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
