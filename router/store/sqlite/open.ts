/**
 * The store on one SQLite file: a writer thread, a reader thread, another for heavy reads, and a
 * checkpoint of the log every half second.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import type { BatchExecutor, BatchAnswer, BatchListener, Procedure } from '../procedure.ts';
import { readOnly } from '../read-only.ts';
import type { BatchFigures, Store, StoreParts, StoreReader } from '../store.ts';
import { LazyThread } from '../threads/lazy.ts';
import {
  callOn,
  StoreThread,
  type ThreadHandle,
  type ThreadPlan,
  YOUNG_MB,
} from '../threads/thread.ts';
import { createPrivately, lockFile } from './lock.ts';
import { refuseOlder } from './mark.ts';
import type { BatchResult, Checkpointed, SqliteCommand, ThreadData } from './messages.ts';

const CHECKPOINT_EVERY_MS = 500;
/** From this many pages (32 MiB) on, the writer itself checkpoints, so that the log starts over. */
const LOG_FRAMES_MAX = 8_192;

type SqliteThread = StoreThread<SqliteCommand>;
/** `writerSocket`: the path of a Unix socket on which other processes call the writer. */
type SqliteConfig = Readonly<{ file: string; registry: URL; writerSocket?: string }>;

/** The threads that one process starts, and that others may use through it (`processes/`). */
export type SqliteThreads = Readonly<{
  writer: ThreadHandle<SqliteCommand>;
  reader: ThreadHandle;
  heavy: ThreadHandle;
}>;

/**
 * Tells every process that uses the file about an organization that a procedure invalidated, and
 * calls `onAnnouncement` for each that any of them tells.
 */
export type Announcer = Readonly<{
  announce: (organization: OrganizationId) => void;
  onAnnouncement: Store['onAnnouncement'];
}>;

export class SqliteStore implements Store {
  readonly #threads: SqliteThreads;
  readonly #announcer: Announcer;
  readonly #parts: AsyncDisposableStack;

  constructor(threads: SqliteThreads, announcer: Announcer, parts: AsyncDisposableStack) {
    this.#threads = threads;
    this.#announcer = announcer;
    this.#parts = parts;
  }

  async call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output> {
    const output = await callOn(this.#threadOf(procedure), procedure, input);
    if (procedure.invalidates) this.#announcer.announce(procedure.invalidates(input));
    return output;
  }

  #threadOf({ access, heavy }: Pick<Procedure<never, unknown>, 'access' | 'heavy'>) {
    const { writer, reader, heavy: aside } = this.#threads;
    if (access === 'write') return writer;
    return heavy ? aside : reader;
  }

  onAnnouncement(listener: Parameters<Store['onAnnouncement']>[0]): void {
    this.#announcer.onAnnouncement(listener);
  }

  async runBatch<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
    operations: readonly Operation[],
    listener: BatchListener<Answer>,
  ): Promise<BatchFigures> {
    const onAnswers = (answers: readonly BatchAnswer<unknown>[]) =>
      listener.answers(answers as readonly BatchAnswer<Answer>[]);
    const batch = { kind: 'batch', name: executor.name, operations } as const;
    const { answers, ...figures } = (await this.#threads.writer.send(
      batch,
      onAnswers,
    )) as BatchResult;
    onAnswers(answers);
    return figures;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

export async function openSqlite(config: SqliteConfig, parts: StoreParts): Promise<Store> {
  await using undo = new AsyncDisposableStack();
  const threads = undo.use(await openSqliteThreads(config, parts));
  return new SqliteStore(threads, announceWithin(), undo.move());
}

/** Announcements in a process that alone uses the file. */
function announceWithin(): Announcer {
  const listeners = new Set<Parameters<Store['onAnnouncement']>[0]>();
  return {
    announce(organization) {
      for (const listener of listeners) listener(organization);
    },
    onAnnouncement: (listener) => void listeners.add(listener),
  };
}

/** Starts the threads, and migrates the tables. Disposing of them flushes and closes the file. */
export async function openSqliteThreads(
  config: SqliteConfig,
  parts: StoreParts,
): Promise<SqliteThreads & AsyncDisposable> {
  const file = resolve(config.file);
  await using undo = new AsyncDisposableStack();
  mkdirSync(dirname(file), { recursive: true });
  undo.use(lockFile(file));
  createPrivately(file);
  refuseOlder(file);
  const { writerSocket = null } = config;
  const start = (role: ThreadData['role']) => {
    const socket = role === 'writer' ? writerSocket : null;
    const data = { role, file, registry: config.registry.href, besideWriter: true, socket };
    return StoreThread.start<SqliteCommand>(planOf(data), parts);
  };
  const starting = [start('writer'), start('reader')] as const;
  for (const thread of await Promise.allSettled(starting)) {
    // The writer is closed last, when no other thread uses the log.
    if (thread.status === 'fulfilled') undo.use(thread.value);
  }
  const [writer, reader] = await Promise.all(starting);
  const heavy = undo.use(new LazyThread(() => start('heavy reader')));
  undo.use(checkpointWal(writer, reader, parts));
  const opened = undo.move();
  return { writer, reader, heavy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function planOf(data: ThreadData): ThreadPlan {
  const module = new URL('./worker.ts', import.meta.url);
  return { role: data.role, module, data, youngMb: YOUNG_MB[data.role] };
}

export async function openSqliteReadOnly(
  config: SqliteConfig,
  parts: StoreParts,
): Promise<StoreReader> {
  const file = resolve(config.file);
  if (!existsSync(file)) throw new Error(`there is no store ${file}`);
  const { href: registry } = config.registry;
  const plan = planOf({ role: 'reader', file, registry, besideWriter: false, socket: null });
  const reader = await StoreThread.start<SqliteCommand>(plan, parts);
  return readOnly(
    (procedure, input) => callOn(reader, procedure, input),
    () => reader[Symbol.asyncDispose](),
  );
}

function checkpointWal(
  writer: SqliteThread,
  reader: SqliteThread,
  { clock, log }: { clock: Clock; log: Log },
): Disposable {
  let running = false;
  let lastFault: string | null = null;
  const pass = async () => {
    if (running) return;
    running = true;
    try {
      // Only the writer knows whether a sync has failed.
      const transfers = (await writer.send({ kind: 'count' })) as bigint;
      const checkpoint = { kind: 'checkpoint', transfers } as const;
      const { frames, markFault } = (await reader.send(checkpoint)) as Checkpointed;
      if (markFault !== null && markFault !== lastFault) {
        log.error(
          { error: markFault },
          'failed to write the mark; an older copy of the store would not be detected',
        );
      }
      lastFault = markFault;
      // Even if the log was moved in full, a batch that began before may be about to add to it, and
      // only a writer that begins with nothing left to move starts the log over.
      if (frames > LOG_FRAMES_MAX) await writer.send(checkpoint);
    } catch (error) {
      // Nothing is lost: the log goes on growing, and the next pass tries again.
      log.warn({ err: error }, 'checkpoint failed');
    } finally {
      running = false;
    }
  };
  const timer: Timer = clock.every(CHECKPOINT_EVERY_MS, () => void pass());
  return { [Symbol.dispose]: () => timer.cancel() };
}
