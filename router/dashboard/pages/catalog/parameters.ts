import type { Model } from '../../../../shared/api/models.ts';

type Feature = Model['supported_features'][number];

/** The parameters that a request may have if its model has the feature. */
const OF_FEATURES: Readonly<Record<Feature, readonly string[]>> = {
  tools: ['tools', 'tool_choice', 'parallel_tool_calls'],
  json_mode: ['response_format'],
  reasoning: ['reasoning'],
};

/** Those that the model lists for sampling, and those of its features. */
export function parametersOf({
  supported_sampling_parameters: sampling,
  supported_features: features,
}: Pick<Model, 'supported_sampling_parameters' | 'supported_features'>): readonly string[] {
  return [...sampling, ...features.flatMap((feature) => OF_FEATURES[feature])];
}
