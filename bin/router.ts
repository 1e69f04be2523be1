/** `penstock router`: runs one router until a signal stops it. */
import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { processCount, type RouterConfig, readRouterConfig, withPorts } from '../router/config.ts';
import type { RouterOptions } from '../router/base.ts';
import { openStoreOf } from '../router/installation/store.ts';
import { checkFixedSettings } from '../router/processes/fixed-settings.ts';
import { RouterProcess } from '../router/processes/router-process.ts';
import { readSecrets } from '../router/secrets.ts';
import { awaitStore } from '../router/store/open-store.ts';
import { sqliteFile } from '../router/store/store-url.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { reportChecked } from './check.ts';
import { endWithParent, reportReady } from './child.ts';
import { checkFlags, Path, Port } from './flags.ts';
import { openLog } from './open-log.ts';
import { openSystemd, type Systemd } from './systemd.ts';
import { stopOnSignals } from './stopping.ts';

const Flags = z.object({
  config: Path,
  check: z.boolean().default(false),
  port: Port.optional(),
  /** The data folder of `penstock up`, which keeps there what a first run makes. */
  firstRun: Path.optional(),
  enrolHosts: z.boolean().default(false),
  /** The ports of all listeners, which the parent of several processes has chosen. */
  ports: z
    .string()
    .transform((list) => list.split(',').map(Number))
    .optional(),
});
type Flags = z.infer<typeof Flags>;

export async function router(given: object): Promise<void> {
  const flags = checkFlags(Flags, given);
  const { port, ports = port === undefined ? [] : [port] } = flags;
  const read = async () => withPorts(await readRouterConfig(flags.config), ports);
  const config = await read();
  if (flags.check) return await check(config, flags.config);
  endWithParent();
  // A router that is starting has only just read its files.
  let reload = async () => {};
  const { signal } = stopOnSignals(() => void reload());
  const log = await openLog('router', config.logLevel);
  const systemd = openSystemd({ clock, log });
  signal.addEventListener('abort', () => systemd.stopping('finishing the last answers'));
  const onReloader = (run: () => Promise<void>) => {
    reload = () => systemd.reload(run);
  };
  if (cluster.isPrimary) systemd.status('starting');
  if (cluster.isPrimary) await awaitStore(config.store, { clock, log, signal });
  if (signal.aborted) return;
  const running = { log, signal, readAgain: read, onReloader, systemd };
  if (cluster.isPrimary && processCount(config) > 1) await runSeveral(config, flags, running);
  else await runOne(config, flags, running);
}

async function check(config: RouterConfig, file: string): Promise<void> {
  const { fileFaults } = await import('../router/named-files.ts');
  reportChecked(file, await fileFaults(config));
}

type Running = Pick<RouterOptions, 'log' | 'signal' | 'readAgain'> &
  Readonly<{ onReloader: (reload: () => Promise<void>) => void; systemd: Systemd }>;

async function runOne(config: RouterConfig, flags: Flags, running: Running): Promise<void> {
  const { log, systemd } = running;
  using routerProcess = RouterProcess.open();
  if (routerProcess) checkFixedSettings(config);
  // The threads of the store load their code while this thread loads the rest of the router.
  const [store, { runRouter }] =
    routerProcess !== null && sqliteFile(config.store) !== null
      ? [routerProcess.store(), await import('../router/main.ts')]
      : await openStoreOf(config, { clock, log }, () => import('../router/main.ts'));
  // With an empty cache this takes a second, so it is done before the router listens.
  flushCompileCache();
  const made: { firstRun?: string } = {};
  await runRouter(config, store, {
    ...running,
    routerProcess,
    async prepare(installation) {
      const { firstRun: data, enrolHosts } = flags;
      if (data === undefined) return;
      const { makeFirstRun } = await import('./first-run.ts');
      const firstRun = await makeFirstRun(installation, { config, data, enrolHosts });
      if (firstRun) made.firstRun = JSON.stringify(firstRun);
    },
    onReady({ origins: [origin = '', ...others], metricsUrl }) {
      // All origins as one text, because a URL has no space in it.
      const ready = { origin, origins: [origin, ...others].join(' '), ...made };
      if (routerProcess) routerProcess.reportReady(ready);
      else reportReady({ ...ready, metricsUrl: metricsUrl ?? '' });
      systemd.ready(`accepting requests at ${ready.origins}`);
      // The secrets of a first run do not stay in the memory of the router.
      delete made.firstRun;
    },
  });
}

async function runSeveral(
  config: RouterConfig,
  { config: file, port, firstRun, enrolHosts }: Flags,
  running: Running,
): Promise<void> {
  // A damaged file is reported before anything is changed.
  await readSecrets(config.secrets);
  const { runProcesses } = await import('../router/processes/parent.ts');
  await runProcesses(config, {
    ...running,
    exec: fileURLToPath(new URL('./penstock.ts', import.meta.url)),
    args: ['router', '--config', file, ...(port === undefined ? [] : ['--port', `${port}`])],
    firstArgs: [
      ...(firstRun === undefined ? [] : ['--first-run', firstRun]),
      ...(enrolHosts ? ['--enrol-hosts'] : []),
    ],
    onReady(ready) {
      reportReady(ready);
      running.systemd.ready(`accepting requests at ${ready.origins}`);
    },
    onRestarter: (restart) => process.on('SIGUSR2', restart),
  });
}
