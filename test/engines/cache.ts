/**
 * Engines and a model that the tests of real engines install or make once, and keep in a cache
 * outside of the repository: `$XDG_CACHE_HOME/penstock/engines`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const CACHE = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'penstock',
  'engines',
);

const MODEL_SOURCES = join(import.meta.dirname, 'model');
const MODEL_PACKAGES = { packages: ['gguf==0.19.0', 'numpy==2.4.6'], python: 'python3' };

/** Packages from PyPI, with their versions, and the Python that they need. */
export type Packages = Readonly<{
  packages: readonly string[];
  python: string;
  /** What is installed in place of dependencies that PyPI does not have. */
  overrides?: readonly string[];
}>;

/** Of pip and uv, only uv replaces dependencies. */
const UV = 'uv==0.13.9';
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];

/** Returns a program of the virtual environment that has these packages. */
export function program(of: Packages, name: string): string {
  return join(environmentOf(of), 'bin', name);
}

function environmentOf({ packages, python, overrides = [] }: Packages): string {
  return join(CACHE, `python-${digest([python, ...packages, ...overrides])}`);
}

/**
 * The model: a GGUF file, and a folder with a checkpoint of Hugging Face. `follower` is the file of
 * another model, which writes what its prompt dictates. Each change of what makes them makes others.
 */
export type Model = Readonly<{ gguf: string; folder: string; follower: string }>;

export function model(): Model {
  const sources = readdirSync(MODEL_SOURCES).filter((name) => /\.(?:py|jinja)$/.test(name));
  const texts = sources.toSorted().map((name) => readFileSync(join(MODEL_SOURCES, name), 'utf8'));
  const folder = join(CACHE, `model-${digest(texts)}`);
  return { folder, gguf: join(folder, 'model.gguf'), follower: join(folder, 'follower.gguf') };
}

export function digest(of: readonly string[]): string {
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
  const inVenv = program(of, 'python');
  if (of.overrides) {
    const file = join(folder, 'overrides.txt');
    await writeFile(file, of.overrides.join('\n'));
    await run(inVenv, [...PIP, UV]);
    const uv = ['-m', 'uv', 'pip', 'install', '--quiet', '--no-cache', '--python', inVenv];
    await run(inVenv, [...uv, '--override', file, ...of.packages]);
  } else {
    await run(inVenv, [...PIP, ...of.packages]);
  }
  await writeFile(complete, of.packages.join('\n'));
}

/** The folder of packages that an engine has besides those of an environment of others. */
export function beside(of: Packages, packages: readonly string[]): string {
  return `${environmentOf(of)}-${digest(packages)}`;
}

/** Installs packages, without what they depend on, and leaves the environment itself as it is. */
export async function installBeside(of: Packages, packages: readonly string[]): Promise<void> {
  const folder = beside(of, packages);
  if (existsSync(folder)) return;
  process.stdout.write(`Installing ${packages.join(', ')} in ${folder}\n`);
  const unfinished = `${folder}.${process.pid}`;
  await run(program(of, 'python'), [...PIP, '--no-deps', '--target', unfinished, ...packages]);
  await rename(unfinished, folder);
}

export async function makeModel(): Promise<void> {
  const { folder } = model();
  if (existsSync(folder)) return;
  await install(MODEL_PACKAGES);
  const unfinished = `${folder}.${process.pid}`;
  // -B: no byte code beside the sources.
  const make = ['-B', join(MODEL_SOURCES, 'make.py'), unfinished];
  await run(program(MODEL_PACKAGES, 'python'), make);
  await rename(unfinished, folder);
}

/** Runs a program to its end, and returns what it has written. */
export async function run(
  command: string,
  args: readonly string[],
  where: Readonly<{ cwd?: string; env?: NodeJS.ProcessEnv }> = {},
): Promise<string> {
  const most = { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const;
  return (await promisify(execFile)(command, args, { ...most, ...where })).stdout;
}
