import { expect, test } from 'vitest';
import {
  capabilitiesOf,
  type Described,
  type Filter,
  isMatch,
} from '../../../../../router/dashboard/pages/catalog/match.ts';

const MODEL: Described = {
  id: 'qwen/qwen3.5-397b-a17b',
  name: 'Qwen3.5 397B A17B',
  hub_model_id: 'Qwen/Qwen3.5-397B-A17B',
  input_modalities: ['text', 'image'],
  supported_features: ['tools', 'reasoning'],
  description: 'A vision-language model.',
  context_length: 131_072,
  regions: [
    { region: 'global', state: 'degraded' },
    { region: 'us', state: 'no_capacity' },
    { region: 'eu', state: 'no_data' },
  ],
};
const ANY: Filter = { search: '', wanted: [], contextMin: 0, region: null };
const matches = (part: Partial<Filter>) => isMatch(MODEL, { ...ANY, ...part });

test('a filter that asks for nothing matches every model', () => {
  expect(matches({})).toBe(true);
  expect(matches({ search: '   ' })).toBe(true);
});

test('every word of a search has to be found, in either case and any order', () => {
  expect(matches({ search: 'vision QWEN' })).toBe(true);
  expect(matches({ search: 'vision kimi' })).toBe(false);
});

test('every capability that is wanted has to be there', () => {
  expect(capabilitiesOf(MODEL)).toEqual(['image', 'tools', 'reasoning']);
  expect(matches({ wanted: ['image', 'tools'] })).toBe(true);
  expect(matches({ wanted: ['image', 'json_mode'] })).toBe(false);
});

test('the context has to be long enough', () => {
  expect(matches({ contextMin: 128_000 })).toBe(true);
  expect(matches({ contextMin: 131_072 })).toBe(true);
  expect(matches({ contextMin: 200_000 })).toBe(false);
});

test('a region matches if hosts of it serve the model now', () => {
  expect(matches({ region: 'global' })).toBe(true);
  expect(matches({ region: 'us' })).toBe(false);
  expect(matches({ region: 'eu' })).toBe(false);
});
