/** Filters models by a search and by capabilities. */
import type { Model } from '../../../../shared/api/models.ts';

/** Names of the model capabilities that a request may need. */
export const CAPABILITIES = {
  image: 'Image input',
  tools: 'Tools',
  json_mode: 'JSON mode',
  reasoning: 'Reasoning',
} as const;

/** A model as an organization or a visitor sees it. */
export type Described = Pick<
  Model,
  'id' | 'name' | 'hub_model_id' | 'description' | 'input_modalities' | 'supported_features'
>;

export type Capability = keyof typeof CAPABILITIES;
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as readonly Capability[];

export function capabilitiesOf(
  model: Pick<Described, 'input_modalities' | 'supported_features'>,
): Capability[] {
  return CAPABILITY_NAMES.filter((capability) =>
    capability === 'image'
      ? model.input_modalities.includes('image')
      : model.supported_features.includes(capability),
  );
}

/**
 * Whether the model has every capability in `wanted`, and every word of `search` in its ids, its
 * name or its description.
 */
export function isMatch(model: Described, search: string, wanted: readonly Capability[]): boolean {
  const has = capabilitiesOf(model);
  const { id, name, hub_model_id, description } = model;
  const text = [id, name, hub_model_id, description].join('\n').toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return (
    wanted.every((capability) => has.includes(capability)) &&
    words.every((word) => text.includes(word))
  );
}
