import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Body } from '../../../../router/dashboard/pages/playground/request.ts';
import { codeOf } from '../../../../router/dashboard/pages/playground/code.ts';

const BODY: Body = {
  model: 'acme/one',
  messages: [
    { role: 'system', content: 'It\'s "quoted", $HOME `ls` \\ and\nbroken.' },
    { role: 'user', content: 'Grüße 😀' },
    { role: 'assistant', content: null, tool_calls: [] },
  ],
  top_k: 40,
  temperature: 0.5,
  reasoning: { effort: 'low' },
  stream: true,
  stream_options: { include_usage: true },
};
const { tabs } = codeOf('https://api.example.com/v1', BODY);

test('a shell that runs the curl command sends the very body', () => {
  const shell = `curl() { for a in "$@"; do last=$a; done; printf '%s' "$last"; }\n${tabs.curl}`;
  const sent = execFileSync('sh', ['-c', shell], { encoding: 'utf8' });
  expect(JSON.parse(sent)).toEqual(BODY);
});

test('Python is given the same: what its library does not know goes into extra_body', () => {
  const call = /create\(\n([\s\S]*?)\n\)\nfor/.exec(tabs.Python)?.[1] ?? '';
  expect(call).toContain('    temperature=0.5,');
  expect(call).toContain('    stream=True,');
  expect(call).toContain('"content": None');
  expect(call).toMatch(/extra_body=\{\n\s+"top_k": 40,\n\s+"reasoning": \{/);
});

test('TypeScript is given the same', () => {
  const literal = /create\((\{[\s\S]*?\n\}) as OpenAI/.exec(tabs.TypeScript)?.[1] ?? 'null';
  expect(JSON.parse(JSON.stringify(runInNewContext(`(${literal})`)))).toEqual(BODY);
});

test('no key stands in any of them, and a long image is shortened', () => {
  const url = `data:image/png;base64,${'A'.repeat(5_000)}`;
  const content = [{ type: 'image_url' as const, image_url: { url } }];
  const shown = codeOf('https://x/v1', { ...BODY, messages: [{ role: 'user', content }] });
  expect(shown.shortened).toBe(true);
  for (const text of Object.values(shown.tabs)) {
    expect(text).toContain('PENSTOCK_API_KEY');
    expect(text.length).toBeLessThan(2_000);
  }
});
