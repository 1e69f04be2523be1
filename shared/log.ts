/**
 * Logs: JSON lines through pino, to standard error. Only named fields are ever logged, never a request's
 * headers or body, so that neither a key nor a prompt can reach a log.
 */
import { type Logger, pino } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function makeLog(name: string, level: LogLevel = 'info'): Log {
  return pino(
    { name, level, base: { name, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
}
