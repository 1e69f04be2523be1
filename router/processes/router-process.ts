/**
 * This process, as one of several that serve a router (docs/processes.md): what it tells its parent,
 * and what its parent tells it. `node:cluster` has it listen on the sockets of its parent.
 */
import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Store } from '../store/store.ts';
import { pageOf } from '../../shared/metrics/page.ts';
import { type Announcer, SqliteStore, type SqliteThreads } from '../store/sqlite/open.ts';
import { PendingCalls } from '../store/threads/pending-calls.ts';
import type { ThreadHandle } from '../store/threads/thread.ts';
import { WriterConnection } from './writer-connection.ts';
import type { Answers, FromChild, FromParent, Question, Ready } from './messages.ts';

/** What a child knows that its parent asks for. */
export type Facts = Readonly<{ metrics: Registry; readyWorkers: () => number }>;

type Listener = Parameters<Store['onAnnouncement']>[0];

export class RouterProcess implements Disposable {
  /** Differs from that of every other child that the parent has ever started. */
  readonly id: number;
  readonly #retired = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  readonly #storeCalls = new PendingCalls();
  readonly #listeners = new Set<Listener>();
  #hasBegun = false;
  #facts: Facts | null = null;
  #serving: ReadonlySet<number> = new Set();
  #onServing: () => void = () => {};
  #onReload: () => void = () => {};

  private constructor(id: number) {
    this.id = id;
    process.on('message', (message: FromParent) => this.#hear(message));
    // Until this is disposed of, the process may only be waiting for its parent.
    process.channel?.ref();
  }

  /** Returns null if this process is a router by itself, or the parent of several. */
  static open(): RouterProcess | null {
    return cluster.worker ? new RouterProcess(cluster.worker.id) : null;
  }

  /** Aborts when another child has taken this one's place. */
  get retired(): AbortSignal {
    return this.#retired.signal;
  }

  /** The store on SQLite, whose file only the parent opens. */
  store(): Store {
    const thread = (name: 'reader' | 'heavy'): ThreadHandle => ({
      send: (command) =>
        this.#storeCalls.begin((id) =>
          tell({ kind: 'store', thread: name, request: { id, command } }),
        ),
    });
    const parts = new AsyncDisposableStack();
    const threads: SqliteThreads = {
      writer: parts.use(WriterConnection.open()),
      reader: thread('reader'),
      heavy: thread('heavy'),
    };
    const announcer: Announcer = {
      announce: (organization) => {
        this.#announced(organization);
        tell({ kind: 'announce', organization });
      },
      onAnnouncement: (listener) => void this.#listeners.add(listener),
    };
    return new SqliteStore(threads, announcer, parts);
  }

  /** Answers the parent's questions from `facts` from now on. */
  answerFrom(facts: Facts): void {
    this.#facts = facts;
  }

  /** Whether a process with this id takes connections. */
  isServing(process: number): boolean {
    return process === this.id || this.#serving.has(process);
  }

  /** Calls `listener` when a child has begun or ceased to take connections. */
  onServing(listener: () => void): void {
    this.#onServing = listener;
  }

  /** Calls `listener` when this process has to read its files again. */
  onReload(listener: () => void): void {
    this.#onReload = listener;
  }

  reportReady(ready: Ready): void {
    tell({ kind: 'ready', ready });
  }

  /** Calls `handle` at once, or when this child has the workers that its siblings have. */
  whenBegun(handle: () => void): void {
    if (this.#hasBegun) handle();
    else void this.#begun.promise.then(handle);
  }

  [Symbol.dispose](): void {
    process.channel?.unref();
  }

  #hear(message: FromParent): void {
    switch (message.kind) {
      case 'store':
        return this.#storeCalls.settle(message.reply);
      case 'ask':
        return void this.#answer(message.id, message.question);
      case 'announce':
        return this.#announced(message.organization);
      case 'serving':
        this.#serving = new Set(message.processes);
        return this.#onServing();
      case 'begin':
        this.#hasBegun = true;
        return this.#begun.resolve();
      case 'reload':
        return this.#onReload();
      case 'retire':
        return this.#retired.abort();
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    try {
      tell({ kind: 'answer', id, answer: await this.#answerTo(question) });
    } catch {
      // A metric that cannot be collected: the parent gets no answer, and leaves this page out.
    }
  }

  async #answerTo(question: Question): Promise<Answers[Question]> {
    if (question === 'readyWorkers') return this.#facts?.readyWorkers() ?? 0;
    return this.#facts ? await pageOf(this.#facts.metrics) : [];
  }

  #announced(organization: OrganizationId): void {
    for (const listener of this.#listeners) listener(organization);
  }
}

/** If the parent is gone, this process is about to end (`bin/child.ts`). */
function tell(message: FromChild): void {
  if (process.connected) process.send?.(message);
}
