/** The models among which the models of a key are chosen. */
import type { Model } from '../../../../shared/api/models.ts';

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

/** The models whose name or id has the text in it. */
export function foundChoices(choices: readonly ChoiceOfModel[], text: string): ChoiceOfModel[] {
  const sought = text.trim().toLowerCase();
  return choices.filter(({ id, name }) =>
    [id, name ?? ''].some((one) => one.toLowerCase().includes(sought)),
  );
}
