/**
 * Installs coding agents, each in a pinned version, into a cache outside the repository:
 * `$PENSTOCK_CODING_AGENTS`, or `penstock/coding-agents` in the user's cache.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Package = Readonly<{ from: 'npm' | 'pip'; name: string; version: string }>;

export const INSTALL_MS_MAX = 600_000;
const OPTIONS = { timeout: INSTALL_MS_MAX, maxBuffer: 64 * 1024 * 1024 };
const run = promisify(execFile);

const { PENSTOCK_CODING_AGENTS, XDG_CACHE_HOME } = process.env;
const CACHE =
  PENSTOCK_CODING_AGENTS ??
  join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'penstock', 'coding-agents');

/** Returns the folder of the package's commands. The first call for a package takes a minute. */
export async function installed({ from, name, version }: Package): Promise<string> {
  const folder = join(CACHE, `${name.replaceAll('/', '+')}@${version}`);
  // Written last, so that an installation that was cut off is made again.
  const mark = join(folder, 'installed');
  if (!existsSync(mark)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await INSTALL[from](folder, name, version);
    await writeFile(mark, '');
  }
  return join(folder, from === 'npm' ? 'node_modules/.bin' : 'bin');
}

const INSTALL: Readonly<
  Record<Package['from'], (folder: string, name: string, version: string) => Promise<void>>
> = {
  npm: async (folder, name, version) => {
    await writeFile(join(folder, 'package.json'), '{"private": true}');
    const flags = ['--no-audit', '--no-fund', '--save-exact'];
    await run('npm', ['install', ...flags, `${name}@${version}`], { ...OPTIONS, cwd: folder });
  },
  // An environment of its own, with absolute paths: it cannot be moved.
  pip: async (folder, name, version) => {
    await run('python3', ['-m', 'venv', folder], OPTIONS);
    const flags = ['--quiet', '--disable-pip-version-check'];
    const python = join(folder, 'bin', 'python');
    await run(python, ['-m', 'pip', 'install', ...flags, `${name}==${version}`], OPTIONS);
  },
};
