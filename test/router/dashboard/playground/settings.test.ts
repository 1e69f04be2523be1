import { expect, test } from 'vitest';
import {
  boundsOf,
  EFFORTS,
  faultsOf,
  NO_SETTINGS,
  NUMBERS,
  readNumber,
  readStops,
} from '../../../../router/dashboard/pages/playground/settings.ts';
import { EXAMPLE_TOOLS, readTools } from '../../../../router/dashboard/pages/playground/tools.ts';
import { ChatRequest } from '../../../../shared/api/inference.ts';
import { EFFORTS as CATALOG_EFFORTS } from '../../../../shared/catalog.ts';
import { model } from './models.ts';

test('the efforts are those of the catalog', () => {
  expect(EFFORTS).toEqual(CATALOG_EFFORTS);
});

test('the bounds of every number are those of the API', () => {
  const accepts = (name: string, value: number) =>
    ChatRequest.safeParse({
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      [name]: value,
    }).success;
  for (const { name, step } of NUMBERS) {
    const { min, max } = boundsOf(name, model());
    expect([accepts(name, min), accepts(name, max)], name).toEqual([true, true]);
    if (name === 'seed') continue;
    expect(accepts(name, min - step), name).toBe(false);
    if (name !== 'max_tokens') expect(accepts(name, max + step), name).toBe(false);
  }
});

test('a number is read as it stands, and what is none or out of bounds is told', () => {
  const one = model();
  expect(readNumber(' 0.7 ', 'temperature', one)).toBe(0.7);
  expect(readNumber('', 'temperature', one)).toBeNull();
  expect(readNumber('0', 'temperature', one)).toBe(0);
  expect(readNumber('warm', 'temperature', one)).toBe('Enter a number.');
  expect(readNumber('2.1', 'temperature', one)).toBe('Enter a number from 0 to 2.');
  expect(readNumber('1.5', 'max_tokens', one)).toBe('Enter a whole number.');
  expect(readNumber('4097', 'max_tokens', one)).toBe('Enter a number from 1 to 4,096.');
  expect(readNumber('1e300', 'seed', one)).toBe('Enter a number with fewer digits.');
});

test('stop sequences are lines, in which escapes stand for what a line cannot hold', () => {
  expect(readStops('END\n\\n\\n\n')).toEqual(['END', '\n\n']);
  expect(readStops('')).toEqual([]);
  expect(readStops('a\nb\nc\nd\ne')).toBe('Enter at most 4 stop sequences.');
});

test('a fault counts only where the model takes the setting at all', () => {
  const settings = { ...NO_SETTINGS, numbers: { top_k: 'x', temperature: '9' }, tools: '{' };
  expect(Object.keys(faultsOf(settings, model()))).toEqual(['temperature']);
  const able = model({
    supported_features: ['tools'],
    supported_sampling_parameters: ['top_k'],
  });
  expect(Object.keys(faultsOf(settings, able)).toSorted()).toEqual(['tools', 'top_k']);
});

test('tool definitions are checked as the API would', () => {
  expect(readTools('  ')).toEqual([]);
  expect(readTools(EXAMPLE_TOOLS)).toHaveLength(1);
  const faulty = [
    '[',
    '{}',
    '[{"type":"function"}]',
    '[{"type":"other","function":{"name":"a"}}]',
    '[{"type":"function","function":{"name":"a b"}}]',
    '[{"type":"function","function":{"name":"a","parameters":[]}}]',
    '[{"type":"function","function":{"name":"a","description":1}}]',
    '[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"a"}}]',
  ];
  for (const text of faulty) expect(readTools(text), text).toBeTypeOf('string');
  expect(readTools(faulty[4] ?? '')).toContain('Tool 1: its name');
});
