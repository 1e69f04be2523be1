/**
 * The simulated GPU hosts that `penstock up --regions` starts in addition to the default host, so
 * that each region has two hosts. Each added host is a process of its own, which can be killed to
 * simulate the failure of a host.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Region } from '../shared/region.ts';
import { parseYaml } from '../shared/yaml.ts';

export type PlannedHost = Readonly<{ name: string; region: Region }>;

export const HOSTS: readonly PlannedHost[] = [
  { name: 'global-2', region: 'global' },
  { name: 'us-1', region: 'us' },
  { name: 'us-2', region: 'us' },
  { name: 'eu-1', region: 'eu' },
  { name: 'eu-2', region: 'eu' },
];

function fileOf(data: string, { name }: PlannedHost): string {
  return join(data, 'hosts', `${name}.yaml`);
}

/** Enrols the hosts that this folder does not know yet, and stores their join tokens. */
export async function keepHosts(
  data: string,
  enrol: (hosts: readonly PlannedHost[]) => Promise<string[]>,
): Promise<void> {
  const added = HOSTS.filter((host) => !existsSync(fileOf(data, host)));
  if (added.length === 0) return;
  await mkdir(join(data, 'hosts'), { recursive: true, mode: 0o700 });
  const tokens = await enrol(added);
  for (const [index, host] of added.entries()) await write(data, host, { join: tokens[index] });
}

/** Writes the configuration with which a host is started. Returns the path of the file. */
export async function writeHost(
  data: string,
  host: PlannedHost,
  to: Readonly<{ origin: string; catalog: string }>,
): Promise<string> {
  const file = fileOf(data, host);
  const kept = parseYaml(await readFile(file, 'utf8')) as { join: string };
  await write(data, host, {
    name: host.name,
    data: join(data, 'hosts', host.name),
    router: `${to.origin.replace(/^http/, 'ws')}/agent`,
    join: kept.join,
    catalog: to.catalog,
  });
  return file;
}

async function write(data: string, host: PlannedHost, object: object): Promise<void> {
  const file = fileOf(data, host);
  // Written atomically, because a lost token cannot be read again.
  await writeFile(`${file}.new`, stringify(object), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
