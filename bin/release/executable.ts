/** Makes an executable of the agent's file: a copy of Node with the file in it. */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node's documentation of single executables prescribes it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export async function makeExecutable(root: string, script: string, into: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-release-'));
  try {
    const [config, blob] = [join(folder, 'config.json'), join(folder, 'blob')];
    const settings = {
      main: script,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      // The flags of bin/penstock.
      execArgv: ['--max-semi-space-size=8', '--disable-sigusr1'],
    };
    await writeFile(config, JSON.stringify(settings));
    run(process.execPath, '--experimental-sea-config', config);
    await copyFile(process.execPath, into);
    await chmod(into, 0o755);
    const inject = join(root, 'node_modules/.bin/postject');
    run(inject, into, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE);
    if (process.platform === 'darwin') run('codesign', '--sign', '-', '--force', into);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the command prints is shown only when it fails. */
function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}
