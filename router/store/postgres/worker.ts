/**
 * The thread of heavy procedures, with connections of its own: on the router's thread their
 * computation would delay everything else.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../shared/clock.ts';
import { lowerPriority } from '../../../shared/thread-priority.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import type { Registry } from '../procedure.ts';
import { failureOf } from '../threads/failures.ts';
import type { ThreadCommand, Request } from '../threads/messages.ts';
import { post, Procedures } from '../threads/port.ts';
import { Pool } from './pool.ts';

/** One procedure computes while another waits for its rows. */
const CONNECTIONS_MAX = 2;

/** `registry`: the registry module's URL. */
export type ThreadData = Readonly<{ url: string; registry: string }>;

async function main(port: MessagePort, { url, registry }: ThreadData): Promise<void> {
  lowerPriority('lowest');
  const procedures = new Procedures((await import(registry)) as Registry);
  const pool = new Pool({
    url,
    connectionsMax: CONNECTIONS_MAX,
    clock: systemClock,
    // Not reported, because the pool opens another connection when it needs one.
    onLost: () => {},
  });
  const run = async (command: ThreadCommand): Promise<unknown> => {
    switch (command.kind) {
      case 'procedure':
        return await pool.call(procedures.find(command.name), command.input);
      case 'close':
        return await pool[Symbol.asyncDispose]();
      default:
        return unreachable(command);
    }
  };
  port.on('message', ({ id, command }: Request) => {
    run(command).then(
      (value) => post(port, { kind: 'done', id, value }),
      (error: unknown) => post(port, { kind: 'failed', id, failure: failureOf(error) }),
    );
  });
  post(port, { kind: 'ready' });
}

if (!parentPort) throw new Error('the store worker must run as a thread');
await main(parentPort, workerData as ThreadData);
