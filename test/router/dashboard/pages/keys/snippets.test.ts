/** Snippets that customers paste must run unchanged. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Model } from '../../../../../shared/api/models.ts';
import {
  curl,
  exampleModel,
  KEY_VARIABLE,
  snippets,
} from '../../../../../router/dashboard/pages/keys/snippets.ts';

const PARTS = {
  baseUrl: 'https://api.example.com/v1',
  model: 'acme/model-1',
  key: 'sk-penstock-infapi-abc',
};

/** Returns the arguments that a shell would pass to curl. */
async function argumentsOf(snippet: string, env: Record<string, string> = {}): Promise<string[]> {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${snippet}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env });
  return stdout.split('\0').slice(0, -1);
}

test('the curl command is what a shell makes a request of, with the key and the base URL', async () => {
  const given = await argumentsOf(curl(PARTS));
  expect(given[0]).toBe('https://api.example.com/v1/chat/completions');
  expect(given).toContain('Authorization: Bearer sk-penstock-infapi-abc');
  const body = JSON.parse(given.at(-1) ?? '') as { model: string; messages: unknown[] };
  expect(body.model).toBe('acme/model-1');
  expect(body.messages).toHaveLength(1);
});

test('a key that is not known any more is taken from the environment', async () => {
  const given = await argumentsOf(curl({ ...PARTS, key: null }), { [KEY_VARIABLE]: 'sk-from-env' });
  expect(given).toContain('Authorization: Bearer sk-from-env');
  const { Python, TypeScript } = snippets({ ...PARTS, key: null });
  expect(Python).toContain(`api_key=os.environ["${KEY_VARIABLE}"]`);
  expect(Python).toContain('import os\n');
  expect(TypeScript).toContain(`apiKey: process.env.${KEY_VARIABLE}`);
});

test('docs/inference/quickstart.md has the same snippets', async () => {
  const page = await readFile('docs/inference/quickstart.md', 'utf8');
  const model = 'qwen/qwen3-235b-a22b-instruct-2507';
  const all = snippets({ baseUrl: 'http://127.0.0.1:8080/v1', model, key: null });
  for (const [name, text] of Object.entries(all))
    expect(page).toContain(` ${name}\n${text}\n\`\`\``);
});

test('a quote in a model name ends neither the shell word nor the JSON', async () => {
  const model = `o'hara/"large"`;
  const given = await argumentsOf(curl({ ...PARTS, model }));
  expect((JSON.parse(given.at(-1) ?? '') as { model: string }).model).toBe(model);
});

test('each language names the base URL, the model and the key', () => {
  const all = snippets(PARTS);
  expect(Object.keys(all)).toEqual(['curl', 'Python', 'TypeScript']);
  for (const text of Object.values(all)) {
    for (const part of Object.values(PARTS)) expect(text).toContain(part);
    expect(text).not.toContain(KEY_VARIABLE);
  }
});

const model = (id: string, price: string, available = true) =>
  ({
    id,
    available,
    billed: { prompt: price, completion: price, input_cache_read: '0' },
  }) as Model;

test('the example is the cheapest model that is served now', () => {
  const models = [
    model('dear', '0.000002'),
    model('cheap', '0.0000002'),
    model('away', '0.00000001', false),
  ];
  expect(exampleModel(models)).toBe('cheap');
});

test('where none is served the cheapest of all is the example, and of none there is none', () => {
  const models = [model('dear', '0.000002', false), model('cheap', '0.0000002', false)];
  expect(exampleModel(models)).toBe('cheap');
  expect(exampleModel([])).toBeNull();
});
