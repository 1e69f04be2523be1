/**
 * The first run of `penstock up`, which its router makes, because it has the store open. Its secrets
 * are in files before the store has their digests, so a start that fails can be repeated.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { RouterConfig } from '../router/config.ts';
import { enrolHosts, type FirstRun, prepareFirstRun } from '../router/first-run.ts';
import type { Installation } from '../router/installation/open.ts';
import { UsageError } from './faults.ts';
import { keepFirstSecrets } from './first-secrets.ts';
import { keepHosts } from './hosts.ts';

type Plan = Readonly<{ config: RouterConfig; data: string; enrolHosts: boolean }>;

/** Returns null if the store was not empty. */
export async function makeFirstRun(
  installation: Installation,
  plan: Plan,
): Promise<FirstRun | null> {
  const { config, data } = plan;
  const firstRun = await prepareFirstRun(installation, config, async (minted) => {
    await keepFirstSecrets(data, minted);
    const text = stringify({ join: minted.agent.joinToken });
    await writeFile(join(data, 'agent.yaml'), text, { mode: 0o600 });
  });
  if (firstRun === null) refuseForeignStore(data);
  if (plan.enrolHosts) await keepHosts(data, (hosts) => enrolHosts(installation, hosts));
  return firstRun;
}

/**
 * Throws UsageError if the data folder is not that of the store's first run, which holds the pepper
 * of the store's keys and the identity of its agent.
 */
function refuseForeignStore(data: string): void {
  if (existsSync(join(data, 'agent.yaml'))) return;
  throw new UsageError(
    `the store is not empty, and ${data} is not the data folder of its first run: ` +
      'give that folder with --data, or use another store',
  );
}
