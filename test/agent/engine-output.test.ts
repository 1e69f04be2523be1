/** What an engine prints, as far as the agent reads it. */
import { expect, test } from 'vitest';
import { Lines, redacted } from '../../agent/engine/lines.ts';
import { loadingOf, wordsOf } from '../../agent/engine/loading.ts';

test.each([
  [
    'Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:01<00:01]',
    'its weights are being loaded: 50 %',
  ],
  ['Multi-thread loading shards: 100% Completed | 8/8', 'its weights are being loaded: 100 %'],
  [
    'Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):  12%|█▏  | 8/67',
    'its CUDA graphs are being captured: 12 %',
  ],
  [
    'Capture cuda graph begin. This can take up to several minutes.',
    'its CUDA graphs are being captured',
  ],
  ['Fetching 12 files:   8%|▊         | 1/12', 'its model is being downloaded: 8 %'],
  ['GPU KV cache size: 123,456 tokens', 'its KV cache is being allocated'],
  ['llama_model_loader: loaded meta data with 30 key-value pairs', 'its weights are being loaded'],
  ['main: server is listening on http://127.0.0.1:8080', 'it starts to serve'],
  ['The server is fired up and ready to roll!', 'it starts to serve'],
  ['Received request cmpl-1: prompt: tell me about shards', null],
])('«%s» tells: %s', (line, words) => {
  const loading = loadingOf(line);
  expect(loading && wordsOf(loading)).toBe(words);
});

test('lines are bounded, and characters whole however they come', () => {
  const seen: string[] = [];
  const lines = new Lines((line) => seen.push(line));
  const bytes = Buffer.from('grün 50%\rblau\n\nend');
  for (const byte of bytes) lines.take(Buffer.of(byte));
  for (let nth = 0; nth < 100; nth++) lines.take(Buffer.alloc(100_000, 'x'));
  lines.take(Buffer.from('\n'));
  expect(seen.slice(0, 2)).toEqual(['grün 50%', 'blau']);
  expect(seen[2]?.length).toBeLessThanOrEqual(2_048);
});

test('what looks like a secret is not logged, nor what is one', () => {
  const line =
    "args: Namespace(api_key='sk-1', hf_token=abc, model='m', Authorization: Bearer-x) value1";
  const text = redacted(line, ['value1', 'x']);
  expect(text).not.toMatch(/sk-1|abc|Bearer-x|value1/);
  expect(text).toContain("model='m'");
});
