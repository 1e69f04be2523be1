/** The first release, as a program that runs beside the source (`first-release/README.md`). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const KEPT = fileURLToPath(new URL('./first-release/penstock-0.1.0.tar.gz', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Unpacks it. `program` is its command `penstock`. */
export async function unpackFirstRelease(): Promise<
  AsyncDisposable & { readonly program: string }
> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-first-release-'));
  await promisify(execFile)('tar', ['-xzf', KEPT, '-C', folder]);
  await symlink(MODULES, join(folder, 'node_modules'));
  return {
    program: join(folder, 'bin', 'penstock'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
