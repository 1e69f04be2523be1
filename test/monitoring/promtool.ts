/** The configurations that these tests check, and promtool, which checks them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const CONFIGS = fileURLToPath(new URL('../../configs/', import.meta.url));
export const RULES = ['objectives', 'serving', 'store-and-money'] as const;

/** Resolves with the exit status and the output. */
export function promtool(...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile('promtool', args, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}
