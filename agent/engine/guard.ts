/**
 * Ends an engine's process group when the agent has ended in any way, SIGKILL included. A shell
 * holds the other end of a pipe to the agent, and sees the pipe close. The shell runs in a session
 * of its own, so that a signal to the agent's process group does not end it first. Processes that
 * have left the engine's group are not ended.
 */
import { spawn } from 'node:child_process';

/** `$1`: seconds between SIGTERM and SIGKILL. */
const SCRIPT = `
read -r group || exit 0
read -r farewell && exit 0
kill -TERM "-$group" 2>/dev/null || exit 0
left=$1
while [ "$left" -gt 0 ] && kill -0 "-$group" 2>/dev/null; do sleep 1; left=$((left - 1)); done
kill -KILL "-$group" 2>/dev/null
`;

export interface Guard extends Disposable {
  /** Sets the process group that is to end with the agent. */
  watch(group: number): void;
}

/** Starts the guard. Disposing of it leaves the group alone, because the agent has ended it. */
export function startGuard(graceSeconds: number): Guard {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'penstock-guard', String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without the guard, engines still end when the agent is stopped in the regular way.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: (group) => void shell.stdin.write(`${group}\n`),
    [Symbol.dispose]: () => void shell.stdin.end('done\n'),
  };
}
