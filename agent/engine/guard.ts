/**
 * Ends an engine's processes when the agent is gone, however it went: a shell beside it holds the other end of a
 * pipe, and a pipe's end is seen even after SIGKILL. The shell is in a session of its own, so that what ends the
 * agent's processes does not end it before its work. Out of its reach is only what has left the engine's group.
 */
import { spawn } from 'node:child_process';

/** `$1`: seconds between the request to stop and the end. */
const SCRIPT = `
read -r group || exit 0
read -r farewell && exit 0
kill -TERM "-$group" 2>/dev/null || exit 0
left=$1
while [ "$left" -gt 0 ] && kill -0 "-$group" 2>/dev/null; do sleep 1; left=$((left - 1)); done
kill -KILL "-$group" 2>/dev/null
`;

export interface Guard extends Disposable {
  /** The process group that is to end with the agent. */
  watch(group: number): void;
}

/** Disposing of it leaves the group alone: the agent has ended it. */
export function startGuard(graceSeconds: number): Guard {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'penstock-guard', String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without it engines still end with an agent that is told to stop.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: (group) => void shell.stdin.write(`${group}\n`),
    [Symbol.dispose]: () => void shell.stdin.end('done\n'),
  };
}
