/**
 * A router that is several processes (docs/processes.md). The parent holds the listening sockets,
 * opens the store if that is one SQLite file, and answers for the metrics of all. Its children are
 * routers of their own on that store, each with a link from every agent.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BUILD, describeBuild } from '../../shared/build.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { type Log, setLogLevel } from '../../shared/log.ts';
import { ConfigError } from '../config-error.ts';
import { processCount, type RouterConfig, withPorts } from '../config.ts';
import { REGISTRY } from '../installation/store.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { openSqliteThreads, type SqliteThreads } from '../store/sqlite/open.ts';
import { sqliteFile } from '../store/store-url.ts';
import { failureOf } from '../store/threads/failures.ts';
import type { Child } from './child.ts';
import { Children } from './children.ts';
import { freePorts } from './free-ports.ts';
import { gatherMetrics } from './gather-metrics.ts';
import { FIXED_SETTINGS, fixedSettings, PARENT_BUILD } from './fixed-settings.ts';
import type { FromChild, Ready } from './messages.ts';
import { WRITER_SOCKET } from './writer-connection.ts';

/** The path of a Unix socket has at most 103 bytes on macOS, and 107 on Linux. */
const TMPDIR_BYTES_MAX = 72;

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
  /** Reads the configuration again. Rejects with ConfigError. */
  readAgain: () => Promise<RouterConfig>;
  /** Called with what has all processes read their files again. */
  onReloader: (reload: () => Promise<void>) => void;
  /** Called with what restarts the processes one after another. */
  onRestarter: (restart: () => void) => void;
}>;

/** Runs the processes until `options.signal` aborts. Resolves when all of them have ended. */
export async function runProcesses(config: RouterConfig, options: ParentOptions): Promise<void> {
  const { log, signal, exec, args, firstArgs, onReady, onReloader, onRestarter } = options;
  await using parts = new AsyncDisposableStack();
  const file = sqliteFile(config.store);
  const store = file === null ? null : await openForChildren(file, parts, log);
  const ports = await freePorts(config.listeners);
  const children = new Children(processCount(config), {
    clock,
    log,
    exec,
    args: [...args, '--ports', ports.join()],
    env: {
      [FIXED_SETTINGS]: fixedSettings(withPorts(config, ports)),
      [PARENT_BUILD]: describeBuild(BUILD),
      ...store?.env,
    },
    firstArgs,
    hear(message, from) {
      if (message.kind === 'store' && store) void forward(store.threads, message, from);
      else if (message.kind === 'announce') {
        children.tellAll({ kind: 'announce', organization: message.organization }, from);
      }
    },
  });
  parts.defer(() => children.stop());
  const page = gatherMetrics(() => children.running, { clock, parts });
  const { url } = parts.use(await serveMetrics(page, config.metrics));
  // Its report is passed on and not kept, because it may contain the secrets of a first run.
  onReady({ ...(await children.start()), metricsUrl: url });
  log.info({ processes: children.running.length }, 'all processes of the router are ready');
  onRestarter(() => void children.restartEach());
  onReloader(async () => {
    children.tellAll({ kind: 'reload' });
    await reloadLogLevel(options);
  });
  if (!signal.aborted) await once(signal, 'abort');
  // The metrics are served until the last request has ended.
  await children.stop();
}

async function reloadLogLevel({ log, readAgain }: ParentOptions): Promise<void> {
  try {
    setLogLevel(log, (await readAgain()).logLevel);
  } catch {
    // Each child reads the same file, and logs what is wrong with it.
  }
}

/** Opens the SQLite file. `env`: the environment variables with which children find the writer. */
async function openForChildren(
  file: string,
  parts: AsyncDisposableStack,
  log: Log,
): Promise<Readonly<{ threads: SqliteThreads; env: Readonly<Record<string, string>> }>> {
  const folder = await privateFolder();
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const writerSocket = join(folder, 'socket');
  const config = { file, registry: REGISTRY, writerSocket };
  const threads = parts.use(await openSqliteThreads(config, { clock, log }));
  return { threads, env: { [WRITER_SOCKET]: writerSocket } };
}

/**
 * Makes the folder for the writer's socket, which only this user can enter. It is not the store's,
 * whose path may be longer than that of a Unix socket can be.
 */
async function privateFolder(): Promise<string> {
  const temporary = resolve(tmpdir());
  if (Buffer.byteLength(temporary) > TMPDIR_BYTES_MAX) {
    throw new ConfigError(`TMPDIR has more than ${TMPDIR_BYTES_MAX} bytes: ${temporary}`);
  }
  return await mkdtemp(join(temporary, 'penstock-writer-')).catch((error: unknown) => {
    throw new ConfigError(`several processes on SQLite need a folder in TMPDIR: ${String(error)}`);
  });
}

/** Runs what a child sends to a reading thread of the store, and sends back the answer. */
async function forward(
  threads: SqliteThreads,
  { thread, request: { id, command } }: Extract<FromChild, { kind: 'store' }>,
  from: Child,
): Promise<void> {
  try {
    const value = await threads[thread].send(command);
    from.tell({ kind: 'store', reply: { kind: 'done', id, value } });
  } catch (error) {
    from.tell({ kind: 'store', reply: { kind: 'failed', id, failure: failureOf(error) } });
  }
}
