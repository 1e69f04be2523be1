import { expect, test } from 'vitest';
import { parametersOf } from '../../../../../router/dashboard/pages/catalog/parameters.ts';

test('the parameters of a model include those of its capabilities', () => {
  const plain = { supported_sampling_parameters: ['max_tokens', 'stop'], supported_features: [] };
  expect(parametersOf(plain)).toEqual(['max_tokens', 'stop']);
  expect(parametersOf({ ...plain, supported_features: ['tools', 'json_mode'] })).toEqual([
    'max_tokens',
    'stop',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'response_format',
  ]);
});
