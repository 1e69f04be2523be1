/** Checks a metrics page as `promtool check metrics` does. */
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Whether the Debian package `prometheus` is installed. */
export const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

/** Returns what promtool finds wrong with a page in the text format; nothing if all is well. */
export async function faultsOf(page: string): Promise<string> {
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'ignore', 'pipe'] });
  promtool.stdin.end(page);
  return await text(promtool.stderr);
}
