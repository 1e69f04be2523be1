import { expect, test } from 'vitest';
import { nearestModel } from '../../../../router/dashboard/pages/usage/nearest-model.ts';

const IDS = [
  'deepseek-ai/deepseek-v4-flash',
  'qwen/qwen3-235b-a22b-instruct-2507',
  'moonshotai/kimi-k2.5',
];

test.each([
  ['deepseek-ai/deepseek-v4-flsh', 'deepseek-ai/deepseek-v4-flash'],
  ['deepseek/deepseek-v4-flash', 'deepseek-ai/deepseek-v4-flash'],
  ['DeepSeek-AI/DeepSeek-V4-Flash', 'deepseek-ai/deepseek-v4-flash'],
  ['kimi-k2.5', 'moonshotai/kimi-k2.5'],
  ['kimi-k2', 'moonshotai/kimi-k2.5'],
  ['qwen/qwen3-235b-a22b-instruct', 'qwen/qwen3-235b-a22b-instruct-2507'],
])('%s may have meant %s', (name, id) => {
  expect(nearestModel(name, IDS)).toBe(id);
});

test.each(['gpt-4o', 'no/such', '', 'k', '/'])('%j is near no model', (name) => {
  expect(nearestModel(name, IDS)).toBeNull();
});

test.each(['k3', 'gpt', 'max'])('%j has too little in common with a short name', (name) => {
  expect(nearestModel(name, ['lab/o1', 'lab/o1-x'])).toBeNull();
});

test('a short name may have one wrong character', () => {
  expect(nearestModel('phi4', ['lab/phi-4'])).toBe('lab/phi-4');
});

test('of models that are equally near, the first is named', () => {
  expect(nearestModel('lab/model-c', ['lab/model-a', 'lab/model-b'])).toBe('lab/model-a');
});

test('a name that is too long is compared with nothing', () => {
  expect(nearestModel('a'.repeat(256), ['a'.repeat(256)])).toBe('a'.repeat(256));
  expect(nearestModel('a'.repeat(257), ['a'.repeat(257)])).toBeNull();
});
