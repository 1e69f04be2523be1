/** The settings of coding agents. `test/coding-agents/` runs each agent with them. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Model } from '../../../../../shared/api/models.ts';
import {
  agentModel,
  codingAgents,
} from '../../../../../router/dashboard/pages/keys/coding-agents.ts';
import { TOOLS } from '../../../../coding-agents/tools.ts';

const PARTS = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  model: {
    id: 'qwen/qwen3-235b-a22b-instruct-2507',
    contextTokens: 262_144,
    answerTokens: 65_536,
  },
  key: null,
};

test('docs/inference/coding-agents.md has the settings of every agent', async () => {
  const page = await readFile('docs/inference/coding-agents.md', 'utf8');
  for (const [name, { file, commands }] of Object.entries(codingAgents(PARTS))) {
    const section = page.split('\n## ').find((text) => text.startsWith(`${name}\n`)) ?? '';
    expect(section).toContain(`\`\`\`sh\n${commands}\n\`\`\``);
    if (file) {
      expect(section).toContain(`\`${file.path}\``);
      expect(section).toContain(`\n${file.text}\n\`\`\``);
    }
  }
});

test('docs/inference/coding-agents.md has the versions that are tried', async () => {
  const page = await readFile('docs/inference/coding-agents.md', 'utf8');
  for (const [name, tool] of Object.entries(TOOLS)) {
    expect(page).toContain(`| ${name} | ${tool.package.version} |`);
  }
  expect(Object.keys(TOOLS)).toEqual(Object.keys(codingAgents(PARTS)));
});

test('the commands start the agent with the key, and have no comment, which zsh would run', async () => {
  for (const key of ['sk-1', null]) {
    const settings = codingAgents({ ...PARTS, key });
    for (const { commands } of Object.values(settings)) expect(commands).not.toContain('#');
    const script = `codex() { echo "started \${PENSTOCK_API_KEY:-}"; }\n${settings['Codex']?.commands}`;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env: {} });
    expect(stdout.trim()).toBe(`started ${key ?? ''}`.trim());
  }
});

test('the model is the cheapest that can call tools', () => {
  const model = (id: string, price: string, features: readonly string[]) =>
    ({
      id,
      available: true,
      supported_features: features,
      context_length: 1_000,
      max_output_length: 100,
      billed: { prompt: price, completion: price, input_cache_read: '0' },
    }) as Model;
  const dear = model('dear', '0.000002', ['tools']);
  const cheap = model('cheap', '0.000001', ['tools', 'reasoning']);
  const plain = model('plain', '0.0000001', []);
  expect(agentModel([dear, cheap, plain])).toEqual({
    id: 'cheap',
    contextTokens: 1_000,
    answerTokens: 100,
  });
  expect(agentModel([plain])).toBeNull();
});
