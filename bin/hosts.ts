/**
 * The simulated GPU hosts that `penstock up --regions` adds to its own: two a region, with the one that it has
 * anyway. Each is a process of its own, so that a host can be killed as a host dies.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { RouterConfig } from '../router/config.ts';
import { enrolHosts } from '../router/first-run.ts';
import type { Region } from '../shared/wire/messages.ts';

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

/** Before the router is started: hosts that this folder does not know are enrolled, their tokens kept. */
export async function keepHosts(data: string, config: RouterConfig): Promise<void> {
  const added = HOSTS.filter((host) => !existsSync(fileOf(data, host)));
  if (added.length === 0) return;
  await mkdir(join(data, 'hosts'), { recursive: true, mode: 0o700 });
  const tokens = await enrolHosts(config, added);
  for (const [index, host] of added.entries()) await write(data, host, { join: tokens[index] });
}

/** Writes what a host is started with; the file's path. */
export async function writeHost(
  data: string,
  host: PlannedHost,
  to: Readonly<{ origin: string; catalog: string }>,
): Promise<string> {
  const file = fileOf(data, host);
  const kept = parse(await readFile(file, 'utf8')) as { join: string };
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
  // Whole or not at all: a token that is lost cannot be told again.
  await writeFile(`${file}.new`, stringify(object), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
