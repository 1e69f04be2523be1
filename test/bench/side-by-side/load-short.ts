/**
 * Short requests: each connection sends the next one when its answer is whole. The last answers are
 * waited for, so that no gateway has to clean up after them during the next load.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { bounded } from './load-bound.ts';
import { LoadConnection, RequestBytes } from './load-connection.ts';
import { LoadCount } from './load-count.ts';
import type { Order, Seen } from './load-order.ts';

export async function runShort(order: Order): Promise<Seen> {
  const requests = new RequestBytes(order);
  const count = new LoadCount(order);
  const connections: LoadConnection[] = [];
  let isOver = false;

  const repeat = async () => {
    const ended = Promise.withResolvers<void>();
    const connection: LoadConnection = new LoadConnection(order, {
      onTokens: () => {},
      onWhole: () => {
        count.addTokens(order.tokens);
        count.addAnswer();
        if (isOver) ended.resolve();
        else connection.send(requests.next());
      },
      onFailure: ended.reject,
    });
    connections.push(connection);
    connection.send(requests.next());
    await ended.promise;
  };
  const measure = async (signal: AbortSignal) => {
    await pause(order.uncountedSeconds * 1000, undefined, { signal });
    count.begin();
    await pause(order.seconds * 1000, undefined, { signal });
    isOver = true;
    return count.end();
  };
  const nominalMs = (order.uncountedSeconds + order.seconds) * 1000;
  const [counted] = await bounded(nominalMs, connections, (signal) =>
    Promise.all([measure(signal), ...Array.from({ length: order.count }, repeat)]),
  );
  return { ...counted, ttftMs: { p50: 0, p99: 0 }, stalls: 0 };
}
