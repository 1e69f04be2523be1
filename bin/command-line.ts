/** Runs a command line: its commands, and what every process of Penstock does about signals. */
import { flushCompileCache } from 'node:module';
import { type Command, CommanderError } from 'commander';
import { describe, statusOf } from './faults.ts';

type Run = (flags: object) => Promise<void>;

/** Returns an action whose code is loaded when it is run. */
export function lazily(load: () => Promise<Run>): Run {
  return async (flags) => {
    const run = await load();
    // Node writes the compile cache when a process exits, but not when it is killed.
    flushCompileCache();
    await run(flags);
  };
}

export async function runCommandLine(program: Command): Promise<void> {
  // The debugger is disabled (see bin/penstock). Without a listener, SIGUSR1 would end the process,
  // and so would SIGUSR2, which restarts the processes of a router.
  process.on('SIGUSR1', () => {});
  process.on('SIGUSR2', () => {});
  // The reader of the output may have closed it (`| head`), which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    // The terminal is gone. SIGHUP reports that as well, and running work is finished first.
    if (error.code === 'EIO') return;
    throw error;
  });
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = statusOf(error);
    // Commander has already printed what is wrong. Help and version also end with this error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else process.stderr.write(`penstock: ${describe(error)}\n`);
  }
}
