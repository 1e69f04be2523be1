/**
 * The load generator, a process of its own. It takes orders from the bench one after another, on raw
 * sockets, and answers with what it saw. It reads the CPU clocks itself, at the start and the end of
 * what it counts.
 */
import { answerParent } from './bench-process.ts';
import type { Order } from './load-order.ts';
import { runShort } from './load-short.ts';
import { runStreams } from './load-streams.ts';

answerParent('', async (question) => {
  const order = question as Order;
  return order.kind === 'streams' ? await runStreams(order) : await runShort(order);
});
