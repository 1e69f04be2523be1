/** Short questions to an engine, with a time limit and a bounded answer: everything but inference. */
import type { Pool } from 'undici';
import type { Clock } from '../../shared/clock.ts';

/** A metrics page of a large engine is about a hundred kilobytes; a tokenized prompt lists every token. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export type Asking = Readonly<{
  pool: Pool;
  clock: Clock;
  /** The path before every endpoint: empty for an engine at the root of its host. */
  base: string;
  headers: Readonly<Record<string, string>>;
}>;

export type Question = Readonly<{
  path: string;
  timeoutMs: number;
  /** JSON to be posted; without it the question is a GET. */
  body?: string;
  signal?: AbortSignal;
}>;

export type Answer = Readonly<{ status: number; text: string }>;
/** `slow`: no answer in time. `unreachable`: no connection, or one that broke. */
export type NoAnswer = 'slow' | 'unreachable';

export async function ask(asking: Asking, question: Question): Promise<Answer | NoAnswer> {
  const { pool, clock, base, headers } = asking;
  const { path, timeoutMs, body, signal } = question;
  const late = new AbortController();
  const timer = clock.after(timeoutMs, () => late.abort());
  try {
    const answer = await pool.request({
      path: base + path,
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body ?? null,
      signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
    });
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > ANSWER_BYTES_MAX) return 'unreachable';
      pieces.push(piece);
    }
    return { status: answer.statusCode, text: Buffer.concat(pieces).toString('utf8') };
  } catch {
    return late.signal.aborted ? 'slow' : 'unreachable';
  } finally {
    timer.cancel();
  }
}

/** Like `ask`, for an answer of status 200 that is JSON; null for anything else. */
export async function askJson(asking: Asking, question: Question): Promise<unknown> {
  const answer = await ask(asking, question);
  if (typeof answer === 'string' || answer.status !== 200) return null;
  try {
    return JSON.parse(answer.text);
  } catch {
    return null;
  }
}
