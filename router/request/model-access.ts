/** Whether a key may call a model. */
import { Refusal } from '../../shared/refusals.ts';

/** Null: the key may call all models. */
export type ModelAccess = ReadonlySet<string> | null;

/** Returns the refusal of a model that is in the catalog, but not among those that the key may call. */
export function refuseModel(access: ModelAccess, model: string): Refusal | null {
  if (access === null || access.has(model)) return null;
  return new Refusal('model_not_allowed', {
    param: 'model',
    message:
      `This API key may not use the model "${model}". ` +
      'An administrator or a developer of the organization can change which models the key may use.',
  });
}
