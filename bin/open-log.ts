/** Opens the log of a daemon: JSON lines, or on a terminal lines for people. */
import { isatty } from 'node:tty';
import { type Log, type LogLevel, makeLog } from '../shared/log.ts';

const STDERR = 2;

export async function openLog(name: string, level: LogLevel): Promise<Log> {
  if (!isatty(STDERR)) return makeLog(name, level);
  const { default: pretty } = await import('pino-pretty');
  const forPeople = pretty({
    destination: STDERR,
    sync: true,
    ignore: 'pid,name',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return makeLog(name, level, forPeople);
}
