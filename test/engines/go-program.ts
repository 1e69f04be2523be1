/** Programs that the tests of real engines build from a Go module, as the module itself pins it. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, digest, run } from './cache.ts';

/** A program of a module of Go: its module with the version, and its package in the module. */
export type GoProgram = Readonly<{
  module: string;
  goPackage: string;
  /**
   * Of a program with parts in C: puts the headers that its module lacks into this folder. It needs
   * a compiler of C++.
   */
  headers?(folder: string): Promise<void>;
}>;

export function goProgram(of: GoProgram, name: string): string {
  return join(folderOf(of), 'bin', name);
}

function folderOf({ module, goPackage }: GoProgram): string {
  return join(CACHE, `go-${digest([module, goPackage])}`);
}

/**
 * Builds the program, unless that was done before. It is built inside of its module, so that the
 * module's own go.mod and go.sum say what it is built with.
 */
export async function installGo(of: GoProgram): Promise<void> {
  const folder = folderOf(of);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return;
  process.stdout.write(`Building ${of.module} in ${folder}\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const sources = await downloadGo(of.module, folder);
  const env = { ...process.env, GOBIN: join(folder, 'bin'), ...(await compiling(of, folder)) };
  await run('go', ['install', of.goPackage], { cwd: sources, env });
  await writeFile(complete, of.module);
}

async function compiling({ headers }: GoProgram, folder: string): Promise<NodeJS.ProcessEnv> {
  // Without C: no compiler is needed, and the program runs on any system.
  if (!headers) return { CGO_ENABLED: '0' };
  const included = join(folder, 'include');
  await mkdir(included);
  await headers(included);
  return { CGO_ENABLED: '1', CGO_CPPFLAGS: `-I${included}` };
}

/**
 * Downloads the sources of a module, and returns their folder. `folder` has no go.mod, so that
 * nothing but the module itself decides.
 */
export async function downloadGo(module: string, folder: string): Promise<string> {
  const downloaded = await run('go', ['mod', 'download', '-json', module], { cwd: folder });
  return (JSON.parse(downloaded) as { Dir: string }).Dir;
}
