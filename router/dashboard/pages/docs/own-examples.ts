/** What of the reader's organization stands in the examples. */
import type { Key } from '../../../../shared/api/keys.ts';
import type { Model } from '../../../../shared/api/models.ts';
import { callableBy } from '../keys/callable-models.ts';
import { agentModel } from '../keys/coding-agents.ts';
import { exampleModel } from '../keys/snippets.ts';
import { EXAMPLES, type Examples } from './contents.ts';

/** The key of the examples until the person chooses one: the newest that may call all models. */
export function usualKey<Of extends Pick<Key, 'allowed_models'>>(keys: readonly Of[]): Of | null {
  return keys.find(({ allowed_models: models = null }) => models === null) ?? keys[0] ?? null;
}

/**
 * The models are those that the key may call. Where it may call none with a feature, an example of
 * the feature has one that the organization may call with another key.
 */
export function examplesFor(
  key: Pick<Key, 'allowed_models'> | null,
  { baseUrl, models }: Readonly<{ baseUrl: string; models: readonly Model[] }>,
): Examples {
  const callable = callableBy(key, models);
  const withFeature = (has: (model: Model) => boolean) =>
    exampleModel(callable.filter(has)) ?? exampleModel(models.filter(has));
  const tooled = agentModel(callable);
  return {
    origin: baseUrl.replace(/\/v1$/, ''),
    model: tooled?.id ?? exampleModel(callable) ?? exampleModel(models) ?? EXAMPLES.model,
    thinker: withFeature((one) => one.supported_features.includes('reasoning')) ?? EXAMPLES.thinker,
    seer: withFeature((one) => one.input_modalities.includes('image')) ?? EXAMPLES.seer,
    contextTokens: String(tooled?.contextTokens ?? EXAMPLES.contextTokens),
    answerTokens: String(tooled?.answerTokens ?? EXAMPLES.answerTokens),
  };
}
