/**
 * Counts the tokens of a prompt with the engine's own tokenizer. Used for requests that were
 * cancelled before the engine reported the count or any part of the answer, and for routers' `count`
 * messages.
 */
import { z } from 'zod';
import { engineAnswers } from '../../shared/limits.ts';
import { promptFields } from './body.ts';
import type { EngineClient } from './client.ts';
import type { Fields } from './dialects/dialect.ts';

const Counted = z.object({ count: z.int().nonnegative().max(0xffff_ffff) });
const Tokens = z.object({ tokens: z.array(z.unknown()) });
const Rendered = z.object({ prompt: z.string() });

/** Counts with an endpoint that takes a request's fields. Returns 0 on any failure. */
export async function countWith(
  path: string,
  client: EngineClient,
  body: Fields,
  timeoutMs: number,
): Promise<number> {
  const counted = Counted.safeParse(await post(client, path, promptFields(body), timeoutMs));
  return counted.success ? counted.data.count : 0;
}

/**
 * Counts with an engine that first renders a chat, and then lists the tokens of a text. Returns 0
 * on any failure.
 */
export async function countRendered(
  client: EngineClient,
  body: Fields,
  timeoutMs: number,
): Promise<number> {
  const half = timeoutMs / 2;
  const { prompt, ...chat } = promptFields(body);
  let content = prompt;
  if (content === undefined) {
    const rendered = Rendered.safeParse(await post(client, '/apply-template', chat, half));
    if (!rendered.success) return 0;
    content = rendered.data.prompt;
  }
  const text = { content, add_special: true, parse_special: true };
  const listed = Tokens.safeParse(await post(client, '/tokenize', text, half));
  return listed.success ? listed.data.tokens.length : 0;
}

function post(
  client: EngineClient,
  path: string,
  body: Fields,
  timeoutMs: number,
): Promise<unknown> {
  const bytesMax = engineAnswers.tokensBytesMax;
  return client.queryJson({ path, timeoutMs, bytesMax, body: JSON.stringify(body) });
}
