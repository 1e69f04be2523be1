/**
 * A child's connection to the writer's thread in its parent. The ledger's batches take this way,
 * which costs the parent's own thread nothing.
 */
import { connect } from 'node:net';
import { StoreUnavailable } from '../store/errors.ts';
import type { SqliteCommand } from '../store/sqlite/messages.ts';
import type { ThreadCommand } from '../store/threads/messages.ts';
import { MessageSocket } from '../store/threads/message-socket.ts';
import {
  type OnAnswers,
  PendingCalls,
  type SettlingReply,
} from '../store/threads/pending-calls.ts';
import type { ThreadHandle } from '../store/threads/thread.ts';

/** The environment variable in which a child gets the path of the Unix socket of that thread. */
export const WRITER_SOCKET = 'PENSTOCK_WRITER_SOCKET';

export class WriterConnection implements ThreadHandle<SqliteCommand>, Disposable {
  readonly #path: string;
  readonly #calls = new PendingCalls();
  /** Null: not connected. The next call connects. */
  #messages: MessageSocket | null = null;
  #end: () => void = () => {};
  #closed = false;

  /** `path`: that of the thread's Unix socket. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Connects to the parent of this process. */
  static open(): WriterConnection {
    const path = process.env[WRITER_SOCKET];
    if (path === undefined) throw new Error(`the parent has not set ${WRITER_SOCKET}`);
    return new WriterConnection(path);
  }

  /** Rejects with StoreUnavailable also if the thread is not running. */
  async send(command: ThreadCommand | SqliteCommand, onAnswers?: OnAnswers): Promise<unknown> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    const messages = (this.#messages ??= this.#connect());
    return await this.#calls.begin((id) => messages.send({ id, command }), onAnswers);
  }

  /** Calls that were made before are still answered. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#end();
  }

  /** What is sent before the connection is open waits in the socket. */
  #connect(): MessageSocket {
    const socket = connect(this.#path);
    let cause: Error | undefined;
    socket.on('error', (error) => {
      cause = error;
    });
    socket.on('close', () => {
      this.#messages = null;
      const fault = "the connection to the store's writer thread was lost, or could not be made";
      this.#calls.failAll(new StoreUnavailable(fault, { cause }));
    });
    // A writer that is stuck on a dead disk must not keep this process from ending.
    this.#end = () => void socket.end().unref();
    return new MessageSocket(socket, (reply) => this.#calls.settle(reply as SettlingReply));
  }
}
