/**
 * A router that is several processes (docs/processes.md). The parent holds the listening sockets,
 * opens the store if that is one SQLite file, and answers for the metrics of all. Its children are
 * routers of their own on that store, each with a link from every agent.
 */
import { once } from 'node:events';
import { systemClock as clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { processCount, type RouterConfig, withPorts } from '../config.ts';
import { REGISTRY } from '../installation/store.ts';
import { serveMetrics } from '../metrics.ts';
import { openSqliteThreads, type SqliteThreads } from '../store/sqlite/open.ts';
import { sqliteFile } from '../store/store-url.ts';
import { failureOf } from '../store/threads/failures.ts';
import type { ThreadHandle } from '../store/threads/thread.ts';
import type { SqliteCommand } from '../store/sqlite/messages.ts';
import type { Child } from './child.ts';
import { Children } from './children.ts';
import { freePorts } from './free-ports.ts';
import { gatherMetrics } from './gather-metrics.ts';
import { FIXED_SETTINGS, fixedSettings } from './fixed-settings.ts';
import type { FromChild, Ready } from './messages.ts';

export type ParentOptions = Readonly<{
  log: Log;
  /** Aborting it makes all processes finish their requests, then stop. */
  signal: AbortSignal;
  /** The program of a child, its arguments, and those that only the first one gets. */
  exec: string;
  args: readonly string[];
  firstArgs: readonly string[];
  /** Called when all processes accept requests. */
  onReady: (ready: Ready & Readonly<{ metricsUrl: string }>) => void;
  /** Called with what restarts the processes one after another. */
  onRestarter: (restart: () => void) => void;
}>;

/** Runs the processes until `options.signal` aborts. Resolves when all of them have ended. */
export async function runProcesses(config: RouterConfig, options: ParentOptions): Promise<void> {
  const { log, signal, exec, args, firstArgs, onReady, onRestarter } = options;
  await using parts = new AsyncDisposableStack();
  const file = sqliteFile(config.store);
  const threads =
    file === null
      ? null
      : parts.use(await openSqliteThreads({ file, registry: REGISTRY }, { clock, log }));
  const ports = await freePorts(config.listeners);
  const children = new Children(processCount(config), {
    clock,
    log,
    exec,
    args: [...args, '--ports', ports.join()],
    env: { [FIXED_SETTINGS]: fixedSettings(withPorts(config, ports)) },
    firstArgs,
    hear(message, from) {
      if (message.kind === 'store' && threads) void forward(threads, message, from);
      else if (message.kind === 'announce') {
        children.tellAll({ kind: 'announce', organization: message.organization }, from);
      }
    },
  });
  parts.defer(() => children.stop());
  const page = gatherMetrics(() => children.running);
  const { url } = parts.use(await serveMetrics(page, config.metrics));
  // Its report is passed on and not kept, because it may contain the secrets of a first run.
  onReady({ ...(await children.start()), metricsUrl: url });
  log.info({ processes: children.running.length }, 'all processes of the router are ready');
  onRestarter(() => void children.restartEach());
  if (!signal.aborted) await once(signal, 'abort');
  // The metrics are served until the last request has ended.
  await children.stop();
}

/** Runs what a child sends to a thread of the store, and sends back the answers. */
async function forward(
  threads: SqliteThreads,
  { thread, request: { id, command } }: Extract<FromChild, { kind: 'store' }>,
  from: Child,
): Promise<void> {
  // A child sends each thread only what that thread takes (`RouterProcess.store`).
  const to: ThreadHandle<SqliteCommand> = threads[thread];
  try {
    const value = await to.send(command, (answers) =>
      from.tell({ kind: 'store', reply: { kind: 'part', id, answers } }),
    );
    from.tell({ kind: 'store', reply: { kind: 'done', id, value } });
  } catch (error) {
    from.tell({ kind: 'store', reply: { kind: 'failed', id, failure: failureOf(error) } });
  }
}
