/** How the models of a catalog are found among those that an engine lists. */
import { expect, test } from 'vitest';
import { matchModels, noMatch, resolveModels } from '../../agent/engine/models.ts';
import { MODEL, THINKER } from './support/fake-router.ts';

const CATALOG = [MODEL, THINKER];

function matched(listed: readonly { id: string; root?: string }[], configured = {}) {
  return matchModels(CATALOG, configured, listed).map(({ model, entry }) => [model.id, entry.id]);
}

test("Ollama's tag :latest is no part of a name, unless the name is listed without it", () => {
  const name = MODEL.hubModelId;
  expect(matched([{ id: `${name}:latest` }])).toEqual([[MODEL.id, `${name}:latest`]]);
  expect(matched([{ id: `${name}:latest` }, { id: name }])).toEqual([[MODEL.id, name]]);
  expect(matched([{ id: `${name}:7b` }])).toEqual([]);
  const configured = { [MODEL.id]: 'mine' };
  expect(matched([{ id: 'mine:latest' }], configured)).toEqual([[MODEL.id, 'mine:latest']]);
  expect(matched([{ id: `${name}:latest` }], configured)).toEqual([]);
});

test('a context is as long as the catalog says, or as the engine if that is shorter', () => {
  const lengthFor = (max_model_len: number | null) =>
    resolveModels(CATALOG, {}, [{ id: MODEL.id, max_model_len }]).get(MODEL.id)?.contextLength;
  expect(lengthFor(null)).toBe(MODEL.contextLength);
  expect(lengthFor(4_096)).toBe(4_096);
  expect(lengthFor(10_000_000)).toBe(MODEL.contextLength);
});

test('where nothing matches, both lists are told, as far as a note has room', () => {
  const told = (ids: readonly string[], namesMax = 8) =>
    noMatch(
      CATALOG,
      ids.map((id) => ({ id })),
      namesMax,
    );
  expect(told(['mine:latest'])).toContain(
    'lists mine:latest, and the catalog has Test/Plain-7B (test/plain), Test/Thinker-7B',
  );
  expect(told([])).toContain('lists nothing');
  const many = Array.from({ length: 4_000 }, (_, nth) => `model-${nth}`);
  expect(told(many)).toContain('model-7 and 3992 more');
  expect(told(['\u001b[2J', 'x'.repeat(1_000_000)]).length).toBeLessThan(300);
  expect(told(['\u001b[2J'])).toContain('?[2J');
});
