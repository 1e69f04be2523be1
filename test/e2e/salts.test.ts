/**
 * Prefix caches on each kind of engine. A repeated prompt of the same organization hits, which
 * shows in its time and its bill. The same prompt of another organization misses. On an engine
 * without salts the other organization is at least never charged the cached price for what it did
 * not send itself.
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
/**
 * A prompt of about three thousand tokens takes about a second, and almost nothing from the cache.
 */
const PREFILL_US = 300;

const KINDS = [
  ['vllm', true],
  ['sglang', true],
  ['llamacpp', false],
] as const;

test.each(KINDS)(
  '%s: the second answer is quick and cheap, and another organization pays for none of that',
  async (dialect, salted) => {
    const parts = { clock: systemClock, random: systemRandom, log: makeLog('sim', 'silent') };
    const given = {
      port: 0,
      dialect,
      model: [HUB],
      prefillUs: PREFILL_US,
      enableCacheReport: true,
    };
    await using engine = await startSimulator(given, parts);
    await using up = await Up.start(['--engine', engine.url]);
    const content = `${'The river carries sand. '.repeat(500)} Write 5 words.`;
    const ask = async (key: string, organization: string) => {
      const start = performance.now();
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
      const ms = performance.now() - start;
      const row = await until(
        async () =>
          (await up.usage(organization)).find(({ request_id: id }) => id === seen.requestId),
        'its usage',
      );
      return { ms, cached: row.cached_tokens, prompt: row.prompt_tokens, cost: Number(row.cost) };
    };
    const { api_key: ours, organization } = up.first;
    const first = await ask(ours, organization.id);
    const second = await ask(ours, organization.id);
    const { key, id } = await up.customer('Other');
    const other = await ask(key, id);
    expect(first.cached).toBe(0);
    expect(second.cached).toBeGreaterThan(first.prompt * 0.9);
    expect(second.ms).toBeLessThan(first.ms / 2);
    expect(second.cost).toBeLessThan(first.cost / 2);
    expect(other.cached).toBe(0);
    expect(other.cost).toBe(first.cost);
    // Without a salt the other organization's answer is as quick as a hit (docs/engines.md).
    if (salted) expect(other.ms).toBeGreaterThan(first.ms / 2);
    else expect(other.ms).toBeLessThan(first.ms / 2);
  },
);
