/** Short requests to an engine, with a timeout and a bounded response: everything but inference. */
import type { Pool } from 'undici';
import { Budget } from '../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../shared/bounds/chunk-buffer.ts';
import type { Clock } from '../../shared/clock.ts';
import { engineAnswers } from '../../shared/limits.ts';

/** The memory budget for responses that are being read, of each engine and in total. */
const answers = new Budget<Pool>(engineAnswers.bytes);

export type Asking = Readonly<{
  pool: Pool;
  clock: Clock;
  /** The path before every endpoint. Empty for an engine at the root of its host. */
  base: string;
  headers: Readonly<Record<string, string>>;
}>;

export type Question = Readonly<{
  path: string;
  timeoutMs: number;
  /** JSON for a POST. Without it, the request is a GET. */
  body?: string;
  signal?: AbortSignal;
  /** The longest response in bytes. A longer one counts as `unreachable`. */
  bytesMax?: number;
}>;

export type Answer = Readonly<{ status: number; text: string }>;
/**
 * `slow`: no response within the timeout. `unreachable`: no connection, a connection that broke, or
 * a response that is too long.
 */
export type NoAnswer = 'slow' | 'unreachable';

export async function ask(asking: Asking, question: Question): Promise<Answer | NoAnswer> {
  const { pool, clock, base, headers } = asking;
  const { path, timeoutMs, body, signal, bytesMax = engineAnswers.bytesMax } = question;
  using lease = answers.lease(pool);
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
    const pieces = new ChunkBuffer(lease);
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      if (pieces.add(piece) !== 'kept' || pieces.bytes > bytesMax) return 'unreachable';
    }
    const text = pieces.whole()?.toString('utf8');
    return text === undefined ? 'unreachable' : { status: answer.statusCode, text };
  } catch {
    return late.signal.aborted ? 'slow' : 'unreachable';
  } finally {
    timer.cancel();
  }
}

/** Like `ask`, but returns the parsed JSON of a 200 response, and null for anything else. */
export async function askJson(asking: Asking, question: Question): Promise<unknown> {
  const answer = await ask(asking, question);
  if (typeof answer === 'string' || answer.status !== 200) return null;
  try {
    return JSON.parse(answer.text);
  } catch {
    return null;
  }
}
