/** `penstock router`: runs one router until a signal stops it. */
import { z } from 'zod';
import { type RouterConfig, readRouterConfig } from '../router/config.ts';
import { runRouter } from '../router/main.ts';
import { endWithParent, reportReady } from './child.ts';
import { checkFlags, Path, Port } from './flags.ts';
import { stopOnSignals } from './stopping.ts';

const Flags = z.object({
  config: Path,
  check: z.boolean().default(false),
  port: Port.optional(),
});

export async function router(given: object): Promise<void> {
  const { config: file, check, port } = checkFlags(Flags, given);
  const config = withPort(await readRouterConfig(file), port);
  if (check) return void process.stdout.write(`${file} is valid\n`);
  endWithParent();
  const { signal } = stopOnSignals();
  await runRouter(config, {
    signal,
    onReady: ({ origins: [origin = '', ...others], metricsUrl }) =>
      // All origins as one text, because a URL has no space in it.
      reportReady({ origin, origins: [origin, ...others].join(' '), metricsUrl }),
  });
}

/** The flag overrides the first listener of the file. */
function withPort(config: RouterConfig, port: number | undefined): RouterConfig {
  if (port === undefined) return config;
  const [first, ...others] = config.listeners;
  return first ? { ...config, listeners: [{ ...first, port }, ...others] } : config;
}
