/**
 * Prefix caches: a repeated prompt of the same organization hits, and the same prompt of another
 * organization misses.
 */
import { expect, test } from 'vitest';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

test('the second answer to a long prompt is charged at the cached rate; another organization gets none', async () => {
  await using up = await Up.start();
  const content = `${'The river carries sand. '.repeat(500)} Write 5 words.`;
  const ask = async (key: string, salt?: string) =>
    await readStream(
      await up.post(
        '/chat/completions',
        {
          model: MODEL,
          messages: [{ role: 'user', content }],
          stream: true,
          stream_options: { include_usage: true },
          ...(salt === undefined ? {} : { cache_salt: salt }),
        },
        { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
      ),
    );
  const cachedOf = (seen: Awaited<ReturnType<typeof ask>>) =>
    seen.usage?.prompt_tokens_details?.cached_tokens ?? 0;

  const first = await ask(up.first.api_key);
  const second = await ask(up.first.api_key);
  expect(cachedOf(first)).toBe(0);
  const prompt = second.usage?.prompt_tokens ?? 0;
  expect(cachedOf(second)).toBeGreaterThan(prompt * 0.9);
  expect(cachedOf(second)).toBeLessThan(prompt);

  const { key } = await up.customer('Other');
  expect(cachedOf(await ask(key))).toBe(0);
  expect(cachedOf(await ask(key, 'whatever the client sends'))).toBeGreaterThan(0);

  const rows = await up.usage();
  const rowOf = (seen: typeof first) => rows.find((row) => row.request_id === seen.requestId);
  const cost = (seen: typeof first) => {
    const used = seen.usage;
    if (!used) throw new Error('no usage');
    const cached = cachedOf(seen);
    return (
      ((used.prompt_tokens - cached) * 200_000 +
        cached * 50_000 +
        used.completion_tokens * 600_000) /
      1e12
    );
  };
  for (const seen of [first, second]) {
    expect(Number(rowOf(seen)?.cost)).toBe(cost(seen));
    expect(rowOf(seen)?.cached_tokens).toBe(cachedOf(seen));
  }
  expect((await up.verify()).status).toBe(0);

  // A restarted router has seen none of this, but the engine has.
  process.kill(up.ready.pids.router, 'SIGKILL');
  const again = await until(
    async () => {
      const seen = await ask(up.first.api_key).catch(() => null);
      return seen?.done ? seen : null;
    },
    'an answer from the new router',
    30_000,
  );
  expect(cachedOf(again)).toBe(cachedOf(second));
});
