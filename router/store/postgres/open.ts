/**
 * The store on PostgreSQL: a pool for procedures, a thread with another pool for heavy ones, two
 * connections for batches and their barrier, and one that listens for announcements.
 */
import { checkTables } from '../migrate.ts';
import type { BatchExecutor, BatchListener, Procedure } from '../procedure.ts';
import { readOnly } from '../read-only.ts';
import type { BatchFigures, PoolFigures, Store, StoreParts, StoreReader } from '../store.ts';
import { LazyThread } from '../threads/lazy.ts';
import { callOn, StoreThread, YOUNG_MB } from '../threads/thread.ts';
import { Announcements, type AnnouncementListener } from './announcements.ts';
import { BatchConnections } from './batch-connections.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { connect, withKysely } from './connect.ts';
import { Pool, read } from './pool.ts';
import type { ThreadData } from './worker.ts';

const CONNECTIONS_MAX = 8;

type PostgresConfig = Readonly<{ url: string; registry: URL }>;

type Inside = Readonly<{
  pool: Pool;
  heavy: LazyThread;
  batches: BatchConnections;
  announcements: Announcements;
  parts: AsyncDisposableStack;
}>;

class PostgresStore implements Store {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  get pool(): PoolFigures {
    return this.#inside.pool;
  }

  async call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output> {
    const { pool, heavy } = this.#inside;
    return await (procedure.heavy ? callOn(heavy, procedure, input) : pool.call(procedure, input));
  }

  runBatch<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
    operations: readonly Operation[],
    listener: BatchListener<Answer>,
  ): Promise<BatchFigures> {
    return this.#inside.batches.run(executor, operations, listener);
  }

  onAnnouncement(listener: AnnouncementListener): void {
    this.#inside.announcements.add(listener);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#inside.parts.disposeAsync();
  }
}

export async function openPostgres(
  { url, registry }: PostgresConfig,
  parts: StoreParts,
): Promise<Store> {
  const { clock, log } = parts;
  await using undo = new AsyncDisposableStack();
  await bringUpToDate(url, parts);
  const onLost = (error: Error) => log.warn({ err: error }, 'lost a connection to PostgreSQL');
  const pool = undo.use(new Pool({ url, connectionsMax: CONNECTIONS_MAX, clock, onLost }));
  const data: ThreadData = { url, registry: registry.href };
  const module = new URL('./worker.ts', import.meta.url);
  const plan = { role: 'heavy', module, data, youngMb: YOUNG_MB['heavy reader'] };
  const heavy = undo.use(new LazyThread(() => StoreThread.start(plan, parts)));
  const batches = undo.use(new BatchConnections({ url, clock, onLost }));
  const announcements = undo.use(new Announcements({ url, clock, log }));
  await announcements.listen();
  return new PostgresStore({ pool, heavy, batches, announcements, parts: undo.move() });
}

export async function openPostgresReadOnly(
  url: string,
  { clock }: Pick<StoreParts, 'clock'>,
): Promise<StoreReader> {
  const settings = { default_transaction_read_only: 'on' };
  const client = await connect({ url, clock }, settings, () => {});
  try {
    await withKysely(client, checkTables);
    return readOnly(
      (procedure, input) => read(client, procedure, input),
      () => client.end(),
    );
  } catch (error) {
    await client.end();
    throw error;
  }
}
