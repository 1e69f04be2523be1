/** Runs promtool, which checks metrics pages and the files of Prometheus. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Whether the Debian package `prometheus` is installed. */
export const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

/** Returns what promtool finds wrong with a page in the text format; nothing if all is well. */
export async function faultsOf(page: string): Promise<string> {
  const running = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'ignore', 'pipe'] });
  running.stdin.end(page);
  return await text(running.stderr);
}

/** Resolves with the exit status and the output. */
export function promtool(...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile('promtool', args, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}
