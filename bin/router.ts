/** `penstock router`: runs one router until a signal stops it. */
import { flushCompileCache } from 'node:module';
import { z } from 'zod';
import { type RouterConfig, readRouterConfig } from '../router/config.ts';
import { openStoreOf } from '../router/installation/store.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { endWithParent, reportReady } from './child.ts';
import { checkFlags, Path, Port } from './flags.ts';
import { stopOnSignals } from './stopping.ts';

const Flags = z.object({
  config: Path,
  check: z.boolean().default(false),
  port: Port.optional(),
  /** The data folder of `penstock up`, which keeps there what a first run makes. */
  firstRun: Path.optional(),
  enrolHosts: z.boolean().default(false),
});

export async function router(given: object): Promise<void> {
  const { config: file, check, port, firstRun: data, enrolHosts } = checkFlags(Flags, given);
  const config = withPort(await readRouterConfig(file), port);
  if (check) return void process.stdout.write(`${file} is valid\n`);
  endWithParent();
  const { signal } = stopOnSignals();
  const log = makeLog('router', config.logLevel);
  // The threads of the store load their code while this thread loads the rest of the router.
  const [store, { runRouter }] = await openStoreOf(
    config,
    { clock, log },
    () => import('../router/main.ts'),
  );
  // With an empty cache this takes a second, so it is done before the router listens.
  flushCompileCache();
  const made: { firstRun?: string } = {};
  await runRouter(config, store, {
    log,
    signal,
    async prepare(installation) {
      if (data === undefined) return;
      const { makeFirstRun } = await import('./first-run.ts');
      const firstRun = await makeFirstRun(installation, { config, data, enrolHosts });
      if (firstRun) made.firstRun = JSON.stringify(firstRun);
    },
    onReady({ origins: [origin = '', ...others], metricsUrl }) {
      // All origins as one text, because a URL has no space in it.
      reportReady({ origin, origins: [origin, ...others].join(' '), metricsUrl, ...made });
      // The secrets of a first run do not stay in the memory of the router.
      delete made.firstRun;
    },
  });
}

/** The flag overrides the first listener of the file. */
function withPort(config: RouterConfig, port: number | undefined): RouterConfig {
  if (port === undefined) return config;
  const [first, ...others] = config.listeners;
  return first ? { ...config, listeners: [{ ...first, port }, ...others] } : config;
}
