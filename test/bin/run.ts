/** The command line as a child process, as its users start it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const PENSTOCK = fileURLToPath(new URL('../../bin/penstock', import.meta.url));

export type Ran = Readonly<{ status: number; stdout: string; stderr: string }>;

/** Runs the command to its end, without an operator token unless `env` has one. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const { PENSTOCK_OPERATOR_TOKEN: _mine, ...rest } = process.env;
  return new Promise((resolve) => {
    const options = { env: { ...rest, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(PENSTOCK, args, options, (error, stdout, stderr) => {
      const status = error ? Number(error.code) : 0;
      resolve({ status, stdout, stderr });
    });
  });
}
