/** A store thread's own side: finds procedures by name, and answers the router. */
import type { MessagePort } from 'node:worker_threads';
import type { BatchExecutor, Procedure, Registry } from '../procedure.ts';
import { failureOf } from './failures.ts';
import type { Reply } from './messages.ts';

type AnyProcedure = Procedure<unknown, unknown>;

type AnyExecutor = BatchExecutor<unknown, unknown>;

/** Finds what the router wants to run, by name. The types of `Store` have checked the input. */
export class Procedures {
  readonly #procedures: ReadonlyMap<string, AnyProcedure>;
  readonly #executors: ReadonlyMap<string, AnyExecutor>;

  constructor(registry: Registry) {
    const exported = Object.values(registry);
    this.#procedures = byName(exported.filter(isProcedure));
    this.#executors = byName(exported.filter(isExecutor));
  }

  find(name: string): AnyProcedure {
    const procedure = this.#procedures.get(name);
    if (!procedure) throw new Error(`the registry has no procedure ${name}`);
    return procedure;
  }

  findExecutor(name: string): AnyExecutor {
    const executor = this.#executors.get(name);
    if (!executor) throw new Error(`the registry has no batch executor ${name}`);
    return executor;
  }
}

function isProcedure(value: unknown): value is AnyProcedure {
  return typeof value === 'object' && value !== null && 'access' in value && 'run' in value;
}

function isExecutor(value: unknown): value is AnyExecutor {
  return typeof value === 'object' && value !== null && 'openSqlite' in value;
}

function byName<Item extends Readonly<{ name: string }>>(
  items: readonly Item[],
): Map<string, Item> {
  const named = new Map(items.map((item) => [item.name, item]));
  if (named.size < items.length) throw new Error('two exports of the registry have the same name');
  return named;
}

/** The buffers to transfer and not copy: of an answer that is bytes with a buffer of its own. */
function handedOver(reply: Reply): ArrayBuffer[] {
  if (reply.kind !== 'done' || !(reply.value instanceof Uint8Array)) return [];
  const { buffer, byteLength } = reply.value;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

export function post(port: MessagePort, reply: Reply): void {
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
    port.postMessage(reply, handedOver(reply));
  } catch (error) {
    // The procedure returned something that cannot be cloned.
    if (reply.kind !== 'done') throw error;
    post(port, { kind: 'failed', id: reply.id, failure: failureOf(error) });
  }
}
