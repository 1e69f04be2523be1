/**
 * Logs: JSON lines through pino, to standard error. Callers pass named fields, never a request's
 * headers or body. Log an error as `{ err: error }`: only then are secrets removed from its text.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { systemClock } from './clock.ts';
import { LogLines } from './log-lines.ts';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The most characters of a message or stack that are logged. */
const TEXT_CHARS_MAX = 16_384;
/** The most bytes that wait for a slow reader of standard error. Lines beyond them are lost. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
/** Matches the last word of a text that was cut. A part of a secret is not recognized as one. */
const CUT_WORD = /\S{1,256}$/;
/** How many causes of an error are logged. */
const CAUSES_MAX = 5;

/** Matches API keys, our tokens, Stripe's secrets, and credentials of headers. */
const SECRETS =
  /(?<![a-z])sk-[\w-]{8,}|penstock-(?:op|join|ses|mgmt|link)-\w+|(?<![a-z])(?:sk|rk|whsec)_\w{8,}|(?<!\w)\w+_secret_\w+|(?<=\b(?:bearer|basic)\s)[\w.~+/=-]{4,}|(?<=password=)[^\s&"']+/gi;
/** Matches the user and password of a URL, up to the last `@` before its host. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"']*@/g;

type LoggedError = Readonly<{
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}>;

/** The loggers that were derived from one by `child`, each with a level of its own. */
const CHILDREN = new WeakMap<Log, Set<WeakRef<Log>>>();

/** All logs of a process write to one. */
let standardError: LogLines | null = null;

/** `stream` is for tests. */
export function makeLog(name: string, level: LogLevel = 'info', stream?: DestinationStream): Log {
  const children = new Set<WeakRef<Log>>();
  const collected = new FinalizationRegistry<WeakRef<Log>>((child) => children.delete(child));
  const log = pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => loggedError(error, CAUSES_MAX) },
      onChild(child) {
        const reference = new WeakRef<Log>(child);
        children.add(reference);
        collected.register(child, reference);
      },
    },
    stream ?? (standardError ??= openStandardError()),
  );
  CHILDREN.set(log, children);
  return log;
}

function openStandardError(): LogLines {
  // This comes first, so that pino's own listeners write what was flushed here.
  for (const end of ['beforeExit', 'exit']) process.on(end, () => lines.flush());
  const to = pino.destination({ fd: 2, sync: false, maxLength: UNREAD_BYTES_MAX });
  const lines = new LogLines(to, systemClock);
  const log = makeLog('log', 'warn', lines);
  let lost = 0;
  to.on('drop', (text: string) => {
    lost += text.split('\n').length - 1;
  });
  to.on('drain', () => {
    if (lost === 0) return;
    log.warn({ lost }, 'log lines were lost, because standard error was not read');
    lost = 0;
  });
  return lines;
}

/** Sets the level of a log that `makeLog` has made, and of all that were derived from it. */
export function setLogLevel(log: Log, level: LogLevel): void {
  log.level = level;
  for (const child of CHILDREN.get(log) ?? []) {
    const derived = child.deref();
    if (derived) derived.level = level;
  }
}

/**
 * Returns what is logged of an error: its type, message, code, stack and causes, without secrets.
 * Other properties are left out, because a database's error has a row in them, and a client's the
 * request. It never throws.
 */
function loggedError(error: unknown, causesMax: number): LoggedError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: typeof error === 'string' ? withoutSecrets(error) : '' };
  }
  const { message, stack, cause } = error;
  const { code } = error as Error & { code?: unknown };
  return {
    type: withoutSecrets(error.name),
    message: withoutSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof stack === 'string' && { stack: withoutSecrets(stack) }),
    ...(cause !== undefined && causesMax > 0 && { cause: loggedError(cause, causesMax - 1) }),
  };
}

function withoutSecrets(text: unknown): string {
  if (typeof text !== 'string') return '';
  const isLong = text.length > TEXT_CHARS_MAX;
  const begin = isLong ? text.slice(0, TEXT_CHARS_MAX).replace(CUT_WORD, '…') : text;
  return begin.replace(USER_INFO, '…@').replace(SECRETS, '…');
}
