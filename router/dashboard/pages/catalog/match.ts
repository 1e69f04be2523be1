/** Filters models by a search, by capabilities, by their context and by where they are served. */
import type { RegionState } from '../../../../shared/api/public-figures.ts';
import type { Model } from '../../../../shared/api/models.ts';
import type { Region } from '../../../../shared/region.ts';
import { searchWords } from '../../format/search-words.ts';
import { MODEL_FEATURES } from '../../search.ts';

/** Names of the model capabilities that a request may need. */
export const CAPABILITIES = {
  image: 'Image input',
  tools: 'Tools',
  json_mode: 'JSON mode',
  reasoning: 'Reasoning',
} as const satisfies Record<(typeof MODEL_FEATURES)[number], string>;

/** What a filter reads of a model. */
export type Described = Pick<
  Model,
  | 'id'
  | 'name'
  | 'hub_model_id'
  | 'description'
  | 'input_modalities'
  | 'supported_features'
  | 'context_length'
> &
  Readonly<{ regions: readonly RegionState[] }>;

export type Capability = keyof typeof CAPABILITIES;

export function capabilitiesOf(
  model: Pick<Described, 'input_modalities' | 'supported_features'>,
): Capability[] {
  return MODEL_FEATURES.filter((capability) =>
    capability === 'image'
      ? model.input_modalities.includes('image')
      : model.supported_features.includes(capability),
  );
}

export type Filter = Readonly<{
  search: string;
  wanted: readonly Capability[];
  /** The fewest tokens; 0: any. */
  contextMin: number;
  /** Null: any. */
  region: Region | null;
}>;

/**
 * Whether the model has every word of the search in its ids, its name or its description, every
 * wanted capability, and enough context, and whether the region serves it now.
 */
export function isMatch(model: Described, filter: Filter): boolean {
  const { search, wanted, contextMin, region } = filter;
  const has = capabilitiesOf(model);
  const { id, name, hub_model_id, description } = model;
  const text = [id, name, hub_model_id, description].join('\n').toLowerCase();
  return (
    wanted.every((capability) => has.includes(capability)) &&
    model.context_length >= contextMin &&
    (region === null || isServedIn(model.regions, region)) &&
    searchWords(search).every((word) => text.includes(word))
  );
}

function isServedIn(regions: readonly RegionState[], region: Region): boolean {
  const state = regions.find((one) => one.region === region)?.state;
  return state === 'operational' || state === 'degraded';
}
