import { expect, test } from 'vitest';
import type { Model } from '../../../../../shared/api/models.ts';
import { capabilitiesOf, isMatch } from '../../../../../router/dashboard/pages/models/match.ts';

const MODEL = {
  id: 'qwen/qwen3.5-397b-a17b',
  name: 'Qwen3.5 397B A17B',
  hub_model_id: 'Qwen/Qwen3.5-397B-A17B',
  input_modalities: ['text', 'image'],
  supported_features: ['tools', 'reasoning'],
  description: 'A vision-language model.',
} as unknown as Model;

test('an empty search and no capability match every model', () => {
  expect(isMatch(MODEL, '', [])).toBe(true);
  expect(isMatch(MODEL, '   ', [])).toBe(true);
});

test('every word of a search has to be found, in either case and any order', () => {
  expect(isMatch(MODEL, 'vision QWEN', [])).toBe(true);
  expect(isMatch(MODEL, 'vision kimi', [])).toBe(false);
});

test('every capability that is wanted has to be there', () => {
  expect(capabilitiesOf(MODEL)).toEqual(['image', 'tools', 'reasoning']);
  expect(isMatch(MODEL, '', ['image', 'tools'])).toBe(true);
  expect(isMatch(MODEL, '', ['image', 'json_mode'])).toBe(false);
});
