/** Anthropic's own client counts tokens on a real `penstock up`, and is then billed as many. */
import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PROMPT = {
  model: MODEL,
  system: 'Be brief.',
  messages: [{ role: 'user', content: `Write 3 words of ${'many words '.repeat(10_000)}` }],
} satisfies Anthropic.MessageCountTokensParams;

test('the count is the input of the message that follows', async () => {
  const baseURL = up.ready.base_url.replace(/\/v1$/, '');
  const client = new Anthropic({ baseURL, apiKey: up.first.api_key, maxRetries: 0 });
  const { data, response } = await client.messages.countTokens(PROMPT).withResponse();
  expect(response.headers.get('x-token-count')).toBe('engine');
  const { usage } = await client.messages.create({ ...PROMPT, max_tokens: 16 });
  expect(data.input_tokens).toBe(usage.input_tokens + (usage.cache_read_input_tokens ?? 0));
});
