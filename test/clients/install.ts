/**
 * Installs the clients of other languages at the versions that are pinned beside their scenes, into
 * a cache outside the repository: `$XDG_CACHE_HOME/penstock/clients`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const CACHE = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'penstock',
  'clients',
);
const PYTHON = join(import.meta.dirname, 'python');
const GO = join(import.meta.dirname, 'go');
const RUST = join(import.meta.dirname, 'rust');
/** Installs in seconds what takes pip minutes. */
const UV = 'uv==0.13.9';

/** Returns the Python of an environment with the packages of `requirements/<name>.txt`. */
export async function python(name: string): Promise<string> {
  const requirements = join(PYTHON, 'requirements', `${name}.txt`);
  const uv = join(await installed('uv', UV, installUv), 'bin', 'uv');
  const environment = await installed(
    name,
    await readFile(requirements, 'utf8'),
    async (folder) => {
      await run(uv, ['venv', '--quiet', folder]);
      const into = ['--python', join(folder, 'bin', 'python')];
      await run(uv, ['pip', 'install', '--quiet', ...into, '--requirements', requirements]);
    },
  );
  return join(environment, 'bin', 'python');
}

async function installUv(folder: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', UV]);
}

/** Returns the folder of the programs of an npm package, which is not one of the project. */
export async function node(name: string, version: string): Promise<string> {
  const pin = `${name}@${version}`;
  const folder = await installed(name, pin, async (into) => {
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', into, pin]);
  });
  return join(folder, 'node_modules', '.bin');
}

/** Builds the Rust clients, and returns the program. */
export async function rust(): Promise<string> {
  const target = join(CACHE, 'rust');
  await mkdir(target, { recursive: true });
  await run('cargo', ['build', '--quiet', '--locked', '--target-dir', target], { cwd: RUST });
  return join(target, 'debug', 'penstock-clients');
}

/** Builds the Go clients, and returns the program. Go keeps its modules in a cache of its own. */
export async function go(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const program = join(CACHE, 'go-clients');
  await run('go', ['build', '-o', program, '.'], { cwd: GO });
  return program;
}

/**
 * Returns the folder that `install` has filled for these pins, now or in an earlier run. An
 * interrupted installation has no marker, and starts again.
 */
async function installed(
  name: string,
  pins: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256').update(pins).digest('hex').slice(0, 12);
  const folder = join(CACHE, `${name}-${digest}`);
  const marker = `${folder}.installed`;
  const done = await access(marker).then(
    () => true,
    () => false,
  );
  if (done) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await install(folder);
  await writeFile(marker, '');
  return folder;
}
