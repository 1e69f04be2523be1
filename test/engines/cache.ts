/**
 * Engines and a model that the tests of real engines install or make once, and keep in a cache
 * outside of the repository: `$XDG_CACHE_HOME/penstock/engines`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'penstock',
  'engines',
);

const MODEL_SOURCES = ['make.py', 'chat.jinja'].map((name) =>
  join(import.meta.dirname, 'model', name),
);
const MODEL_PACKAGES = { packages: ['gguf==0.19.0', 'numpy==2.4.6'], python: 'python3' };

/** Packages from PyPI, with their versions, and the Python that they need. */
export type Packages = Readonly<{ packages: readonly string[]; python: string }>;

/** Returns a program of the virtual environment that has these packages. */
export function program(of: Packages, name: string): string {
  return join(environmentOf(of), 'bin', name);
}

function environmentOf({ packages, python }: Packages): string {
  return join(CACHE, `python-${digest([python, ...packages])}`);
}

/** Returns the path of the model: another one after each change of what makes it. */
export function modelFile(): string {
  return join(
    CACHE,
    `model-${digest(MODEL_SOURCES.map((file) => readFileSync(file, 'utf8')))}.gguf`,
  );
}

function digest(of: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12);
}

/** Installs packages into a virtual environment of their own, unless that was done before. */
export async function install(of: Packages): Promise<void> {
  const folder = environmentOf(of);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return;
  process.stdout.write(`Installing ${of.packages.join(', ')} in ${folder}\n`);
  // What an interrupted installation has left is of no use.
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await run(of.python, ['-m', 'venv', folder]);
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(program(of, 'python'), ['-m', 'pip', 'install', ...quietly, ...of.packages]);
  await writeFile(complete, of.packages.join('\n'));
}

export async function makeModel(): Promise<void> {
  const file = modelFile();
  if (existsSync(file)) return;
  await install(MODEL_PACKAGES);
  const unfinished = `${file}.${process.pid}`;
  await run(program(MODEL_PACKAGES, 'python'), [MODEL_SOURCES[0] as string, unfinished]);
  await rename(unfinished, file);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 });
}
