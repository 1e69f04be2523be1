/** The models among which the models of a key are chosen. */
import type { Model } from '../../../../shared/api/models.ts';
import { searchWords } from '../../format/search-words.ts';

/** `name`: null when the catalog does not have the model, or not any more. */
export type ChoiceOfModel = Readonly<{ id: string; name: string | null }>;

/** The models of a key, and after them the others of the catalog. */
export function choicesOf(
  models: readonly Pick<Model, 'id' | 'name'>[],
  ofKey: readonly string[],
): ChoiceOfModel[] {
  const names = new Map(models.map(({ id, name }) => [id, name]));
  const ids = new Set([...ofKey, ...names.keys()]);
  return [...ids].map((id) => ({ id, name: names.get(id) ?? null }));
}

/** The models whose name or id has each word of `search`. */
export function foundChoices(choices: readonly ChoiceOfModel[], search: string): ChoiceOfModel[] {
  const words = searchWords(search);
  return choices.filter(({ id, name }) => {
    const text = `${name ?? ''} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
