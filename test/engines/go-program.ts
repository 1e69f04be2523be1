/** Programs that the tests of real engines build from a Go module, as the module itself pins it. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, digest, run } from './cache.ts';

/** A program of a module of Go: its module with the version, and its package in the module. */
export type GoProgram = Readonly<{
  module: string;
  goPackage: string;
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
  // A folder without go.mod, so that nothing but the module itself decides.
  const downloaded = await run('go', ['mod', 'download', '-json', of.module], { cwd: folder });
  const { Dir: sources } = JSON.parse(downloaded) as { Dir: string };
  // Without C: no compiler is needed, and the program runs on any system.
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: join(folder, 'bin') };
  await run('go', ['install', of.goPackage], { cwd: sources, env });
  await writeFile(complete, of.module);
}
