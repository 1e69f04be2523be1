/** A store thread's own side: finds procedures by name, and answers the router. */
import type { MessagePort } from 'node:worker_threads';
import type { Procedure, Registry } from '../procedure.ts';
import { failureOf } from './failures.ts';
import type { Reply } from './messages.ts';

type AnyProcedure = Procedure<unknown, unknown>;

export class Procedures {
  readonly #byName: ReadonlyMap<string, AnyProcedure>;

  constructor(registry: Registry) {
    this.#byName = new Map(
      // The type of Store.call has checked the input of each procedure.
      registry.procedures.map((procedure) => [procedure.name, procedure as AnyProcedure]),
    );
  }

  find(name: string): AnyProcedure {
    const procedure = this.#byName.get(name);
    if (!procedure) throw new Error(`the registry has no procedure ${name}`);
    return procedure;
  }
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
