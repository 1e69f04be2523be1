import { expect, test } from 'vitest';
import { listPrice, parseCatalog, readCatalog } from '../../shared/catalog.ts';
import { formatUsd } from '../../shared/money.ts';

const shipped = await readCatalog('configs/catalog.yaml');

test('the shipped catalog has what customers choose between', () => {
  const models = [...shipped.values()];
  const some = (is: (model: (typeof models)[number]) => boolean) => models.some(is);
  expect(models.length).toBeGreaterThanOrEqual(5);
  expect(some((model) => model.thinking === null)).toBe(true);
  for (const how of ['on', 'off', 'adaptive']) {
    expect(some((model) => model.thinking?.default === how)).toBe(true);
  }
  expect(some((model) => model.thinking?.can_disable === false)).toBe(true);
  expect(some((model) => model.input_modalities.includes('image'))).toBe(true);
  expect(some((model) => !model.input_modalities.includes('image'))).toBe(true);
  expect(some((model) => model.supported_features.includes('json_mode'))).toBe(true);
  expect(some((model) => !model.supported_features.includes('json_mode'))).toBe(true);
  expect(some((model) => model.supported_features.includes('tools'))).toBe(true);
  expect(some((model) => model.context_length === 262_144)).toBe(true);
  expect(some((model) => model.context_length > 1_000_000)).toBe(true);
});

test('prices are read exactly', () => {
  for (const model of shipped.values()) {
    expect(formatUsd(listPrice(model).prompt)).toBe(model.pricing.prompt);
    expect(formatUsd(listPrice(model).cached)).toBe(model.pricing.input_cache_read);
  }
});

const ENTRY = `
  - id: a/b
    name: B
    hub_model_id: A/B
    created: 1
    input_modalities: [text]
    quantization: fp8
    context_length: 1000
    max_output_length: 100
    pricing: { prompt: "0.1", completion: "0.2", input_cache_read: "0.05" }
    supported_sampling_parameters: []
    supported_features: []
    description: x
`;

test('a good entry is read', () => {
  expect(parseCatalog(`models:${ENTRY}`).get('a/b')?.thinking).toBeNull();
});

test('a way to think may be given by name, and models then share it', () => {
  const profiles =
    'thinking_profiles: { slow: { toggle: thinking, default: "on", can_disable: true } }';
  const entry = ENTRY.replace('supported_features: []', 'supported_features: [reasoning]');
  const named = parseCatalog(`${profiles}\nmodels:${entry}    thinking: slow\n`);
  expect(named.get('a/b')?.thinking).toMatchObject({ toggle: 'thinking', budget: false });
});

test('a name that no profile has, and a profile that is none, are faults among all the others', () => {
  const profiles = 'thinking_profiles: { slow: { toggle: thinking } }';
  const fault = () =>
    parseCatalog(`${profiles}\nmodels:${ENTRY}    thinking: constructor\n    nmae: C\n`);
  expect(fault).toThrow(/thinking_profiles\.slow/);
  expect(fault).toThrow(/the name of one of thinking_profiles\s+→ at models\[0\]\.thinking/);
  expect(fault).toThrow(/nmae/);
});

test.each([
  ['a flat id', 'id: a/b', 'id: b'],
  ['an unknown key', 'name: B', 'name: B\n    nmae: C'],
  ['an output longer than the context', 'max_output_length: 100', 'max_output_length: 2000'],
  ['a price with thirteen decimals', '"0.1"', '"0.1000000000001"'],
  ['a negative price', '"0.1"', '"-0.1"'],
  ['a cached price above the full one', '"0.05"', '"0.5"'],
  [
    'reasoning without a thinking profile',
    'supported_features: []',
    'supported_features: [reasoning]',
  ],
])('%s is refused', (_what, from, to) => {
  expect(() => parseCatalog(`models:${ENTRY.replace(from, to)}`)).toThrow();
});

test('an id that is listed twice is refused, and all faults are named at once', () => {
  expect(() => parseCatalog(`models:${ENTRY}${ENTRY}`)).toThrow(/is listed twice/);
  const two = ENTRY.replace('id: a/b', 'id: b').replace('created: 1', 'created: -1');
  expect(() => parseCatalog(`models:${two}`)).toThrow(/id[\s\S]*created|created[\s\S]*id/);
});
