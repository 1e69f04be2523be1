/**
 * Prefix caches on each kind of engine. A repeated prompt of the same organization hits, which
 * shows in the engine's own count and in the bill. The same prompt of another organization misses.
 * On an engine without salts the other organization is at least never charged the cached price for
 * what it did not send itself.
 */
import { expect, test } from 'vitest';
import { startSimulator } from '../../agent/simulator/main.ts';
import { systemClock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const HUB = 'Qwen/Qwen3-235B-A22B-Instruct-2507';

const KINDS = [
  { dialect: 'vllm', salted: true, hits: 'vllm:prefix_cache_hits_total' },
  { dialect: 'sglang', salted: true, hits: 'sglang:cached_tokens_total' },
  { dialect: 'llamacpp', salted: false, hits: 'llamacpp:prompt_tokens_cached_total' },
] as const;

test.each(KINDS)(
  '$dialect: the second answer is from the cache and cheap, and another organization pays for none of that',
  async ({ dialect, salted, hits }) => {
    const parts = { clock: systemClock, random: systemRandom, log: makeLog('sim', 'silent') };
    const given = {
      port: 0,
      dialect,
      model: [HUB],
      enableCacheReport: true,
    };
    await using engine = await startSimulator(given, parts);
    /** The prompt tokens that the engine has found in its cache so far. */
    const cacheHits = async (): Promise<number> => {
      const page = await (await fetch(`${engine.url}/metrics`)).text();
      const line = page.split('\n').find((text) => text.startsWith(hits));
      return Number(line?.split(' ').at(-1));
    };
    await using up = await Up.start(['--engine', engine.url]);
    const content = `${'The river carries sand. '.repeat(500)} Write 5 words.`;
    const ask = async (key: string, organization: string) => {
      const before = await cacheHits();
      const response = await up.post(
        '/chat/completions',
        {
          model: MODEL,
          messages: [{ role: 'user', content }],
          stream: true,
          stream_options: { include_usage: true },
        },
        { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
      );
      const seen = await readStream(response);
      const found = (await cacheHits()) - before;
      const row = await until(
        async () =>
          (await up.usage(organization)).find(({ request_id: id }) => id === seen.requestId),
        'its usage',
      );
      return {
        found,
        cached: row.cached_tokens,
        prompt: row.prompt_tokens,
        cost: Number(row.cost),
      };
    };
    const { api_key: ours, organization } = up.first;
    const first = await ask(ours, organization.id);
    const second = await ask(ours, organization.id);
    const { key, id } = await up.customer('Other');
    const other = await ask(key, id);
    expect(first.cached).toBe(0);
    expect(second.cached).toBeGreaterThan(first.prompt * 0.9);
    expect(first.found).toBe(0);
    expect(second.found).toBeGreaterThan(first.prompt * 0.9);
    expect(second.cost).toBeLessThan(first.cost / 2);
    expect(other.cached).toBe(0);
    expect(other.cost).toBe(first.cost);
    // Without a salt the engine finds the prompt of another organization (docs/engines.md).
    if (salted) expect(other.found).toBe(0);
    else expect(other.found).toBe(second.found);
  },
);
