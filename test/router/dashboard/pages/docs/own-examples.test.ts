/** Which key and which models of the reader's organization the examples of the documentation name. */
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../../../../router/dashboard/pages/docs/contents.ts';
import { examplesFor, usualKey } from '../../../../../router/dashboard/pages/docs/own-examples.ts';
import type { Model } from '../../../../../shared/api/models.ts';

type Offered = Readonly<{ id: string; cost: string; features?: string[]; sees?: boolean }>;

function model({ id, cost, features = [], sees = false }: Offered): Model {
  return {
    id,
    available: true,
    supported_features: features,
    input_modalities: sees ? ['text', 'image'] : ['text'],
    context_length: 1_000,
    max_output_length: 100,
    billed: { prompt: cost, completion: cost, input_cache_read: cost },
  } as unknown as Model;
}

const MODELS = [
  model({ id: 'lab/small', cost: '0.000001', features: ['tools'] }),
  model({ id: 'lab/thinker', cost: '0.000002', features: ['tools', 'reasoning'] }),
  model({ id: 'lab/seer', cost: '0.000003', sees: true }),
];
const BASE = { baseUrl: 'https://api.example.com/v1', models: MODELS };

test('the usual key is the newest that may call all models, and otherwise the newest', () => {
  const some = { name: 'some', allowed_models: ['lab/seer'] };
  const older = { name: 'older', allowed_models: null };
  // A router of an earlier version does not say which models a key may call.
  const oldest: Readonly<{ name: string; allowed_models?: null }> = { name: 'oldest' };
  expect(usualKey<object>([some, older, oldest])).toBe(older);
  expect(usualKey<object>([some, oldest])).toBe(oldest);
  expect(usualKey([some])).toBe(some);
  expect(usualKey([])).toBeNull();
});

test('a key that may call all models, or no key, has the cheapest model of each kind', () => {
  for (const key of [null, { allowed_models: null }, {}]) {
    expect(examplesFor(key, BASE)).toEqual({
      origin: 'https://api.example.com',
      model: 'lab/small',
      thinker: 'lab/thinker',
      seer: 'lab/seer',
      contextTokens: '1000',
      answerTokens: '100',
    });
  }
});

test('a key that may call some models has these, and others only for what none of these can do', () => {
  const { model: named, thinker, seer } = examplesFor({ allowed_models: ['lab/seer'] }, BASE);
  expect({ named, thinker, seer }).toEqual({
    named: 'lab/seer',
    thinker: 'lab/thinker',
    seer: 'lab/seer',
  });
});

test('a key whose models are not offered any more has those of the organization', () => {
  expect(examplesFor({ allowed_models: ['lab/gone'] }, BASE).model).toBe('lab/small');
  expect(examplesFor(null, { ...BASE, models: [] })).toMatchObject({
    model: EXAMPLES.model,
    thinker: EXAMPLES.thinker,
  });
});
