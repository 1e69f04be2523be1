/** The models that a key may call, as the store has them: their ids, separated by spaces. */

/** Null: the key may call all models. */
export type AllowedModels = readonly string[] | null;

export function storedModels(models: AllowedModels): string | null {
  return models && models.join(' ');
}

export function modelsOf(stored: string | null): string[] | null {
  return stored === null ? null : stored.split(' ');
}
