/** A peer from the machine's packages, run in the foreground with a configuration of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type Gateway, PEER_KEY, untilAnswering } from './gateway.ts';
import { familyOf } from './machine.ts';
import { ENGINE_MODEL } from './model.ts';

export type PeerProgram = Readonly<{
  name: string;
  configure: (port: number, engine: URL) => string;
  /** The arguments of the program for its folder and its configuration. */
  args: (folder: string, file: string) => readonly string[];
}>;

export async function startPeer(program: PeerProgram, engineUrl: string): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
  const file = join(folder, 'configuration');
  const port = await freePort();
  await writeFile(file, program.configure(port, new URL(engineUrl)));
  const child = spawn(program.name, program.args(folder, file), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const facts = { url: `http://127.0.0.1:${port}`, key: PEER_KEY, model: ENGINE_MODEL };
  try {
    await untilAnswering(facts);
  } catch (error) {
    await stop();
    throw error;
  }
  const parts = { [program.name]: familyOf(child.pid as number) };
  return { ...facts, parts, [Symbol.asyncDispose]: stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The version that a program prints; null if it is not installed. */
export function versionOf(program: string, flag: string): string | null {
  try {
    // nginx prints its version as an error.
    const text = execFileSync('sh', ['-c', `exec ${program} ${flag} 2>&1`], { encoding: 'utf8' });
    return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? null;
  } catch {
    return null;
  }
}
