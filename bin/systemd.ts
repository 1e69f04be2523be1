/**
 * Tells systemd what a daemon does, by the messages of sd_notify(3): that it is ready, reloads its
 * files or stops, and that its event loop still turns (WatchdogSec). Without NOTIFY_SOCKET, nothing
 * is sent.
 *
 * The socket takes datagrams, which Node cannot send. A shell that lives as long as this process
 * passes each line to `systemd-notify`. Starting `systemd-notify` from here instead would stop the
 * event loop for the time of a fork, which grows with the memory of this process: 14 ms at 370 MB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { isChild } from './child.ts';

const NOT_FOUND = 127;
const PASS_EACH_LINE = `trap '' INT TERM HUP QUIT
command -v systemd-notify >/dev/null || exit ${NOT_FOUND}
while IFS= read -r line; do systemd-notify "$line"; done`;

/** Beats in the time after which systemd ends a daemon that sent none. */
const BEATS_IN_TIME = 3;

export type Systemd = Readonly<{
  /** The daemon serves. systemd starts the units that wait for it. */
  ready(status: string): void;
  /** Runs `reload`, and tells systemd of its begin and end. */
  reload(reload: () => Promise<void>): Promise<void>;
  /** Shows a text in `systemctl status`. */
  status(text: string): void;
  stopping(status: string): void;
}>;

/**
 * Takes the socket out of the environment, so that a child process such as an engine cannot say that
 * it is this daemon. The watchdog gets its first beat when the daemon is ready.
 */
export function openSystemd({ clock, log }: Readonly<{ clock: Clock; log: Log }>): Systemd {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, ...env } = process.env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete process.env[name];
  const send = NOTIFY_SOCKET && !isChild ? sender({ ...env, NOTIFY_SOCKET }, log) : () => {};
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === `${process.pid}`;
  const beatMs = isWatched ? Number(WATCHDOG_USEC ?? 0) / 1000 / BEATS_IN_TIME : 0;
  const status = (text: string) => send(`STATUS=${text}`);
  let isReady = false;
  return {
    status,
    ready(text) {
      isReady = true;
      send('READY=1');
      status(text);
      if (beatMs > 0) clock.every(beatMs, () => send('WATCHDOG=1'));
    },
    async reload(reload) {
      // READY at the end of a reload would say that a daemon serves which is still starting.
      if (!isReady) return await reload();
      send('RELOADING=1');
      try {
        await reload();
      } finally {
        send('READY=1');
      }
    },
    stopping(text) {
      send('STOPPING=1');
      status(text);
    },
  };
}

/** Starts the shell at once, while this process is small, and again if somebody ends it. */
function sender(env: NodeJS.ProcessEnv, log: Log): (message: string) => void {
  let shell: ChildProcess | null = null;
  let isMissing = false;
  const start = () => {
    const started = spawn('/bin/sh', ['-c', PASS_EACH_LINE], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const gone = (reason: unknown) => {
      if (shell !== started) return;
      shell = null;
      isMissing = reason === NOT_FOUND;
      log.warn({ reason }, 'systemd is not told about this process: systemd-notify did not run');
    };
    started.on('error', gone);
    started.on('exit', gone);
    // A write fails after the shell has ended. The event `exit` reports that.
    started.stdin?.on('error', () => {});
    // Neither the shell nor its pipe keeps a process alive that has nothing else to do.
    started.unref();
    (started.stdin as { unref?: () => void } | null)?.unref?.();
    return started;
  };
  shell = start();
  return (message) => {
    if (isMissing) return;
    shell ??= start();
    shell.stdin?.write(`${message.replaceAll(/\s+/g, ' ')}\n`);
  };
}
