/** The models that the engine serves, each under the name of its checkpoint. */
import { type CatalogModel, readCatalog, type Thinking } from '../../shared/catalog.ts';
import { BLOCK_TOKENS } from './kv/block-hash.ts';

export interface ServedModel {
  /** The name of the model in requests. */
  readonly id: string;
  readonly root: string;
  /** The most tokens of prompt and answer together. */
  readonly contextTokens: number;
  readonly images: boolean;
  readonly thinking: Thinking | null;
}

/** The context length of a model that is not in the catalog. */
const PLAIN_CONTEXT_TOKENS = 262_144;

/**
 * Returns the catalog's models, or only those that are named, by either id. A name that is not in
 * the catalog is a plain text model. No model's context is longer than its share of the KV cache.
 */
export async function servedModels(options: {
  readonly catalog?: string | undefined;
  readonly model: readonly string[];
  readonly kvBlocks: number;
  /** Among how many requests the KV cache is divided. 1 if each request may have all of it. */
  readonly contextShares: number;
}): Promise<ReadonlyMap<string, ServedModel>> {
  const catalog =
    options.catalog === undefined ? [] : [...(await readCatalog(options.catalog)).values()];
  const chosen =
    options.model.length === 0
      ? catalog.map(fromCatalog)
      : options.model.map((name) => {
          const entry = catalog.find(
            ({ id, hub_model_id }) => name === id || name === hub_model_id,
          );
          return entry ? fromCatalog(entry) : plainModel(name);
        });
  const kvTokens = Math.floor((options.kvBlocks * BLOCK_TOKENS) / options.contextShares);
  return new Map(
    chosen.map((model) => [
      model.id,
      { ...model, contextTokens: Math.min(model.contextTokens, kvTokens) },
    ]),
  );
}

function fromCatalog(model: CatalogModel): ServedModel {
  return {
    id: model.hub_model_id,
    root: model.id,
    contextTokens: model.context_length,
    images: model.input_modalities.includes('image'),
    thinking: model.thinking,
  };
}

function plainModel(name: string): ServedModel {
  return {
    id: name,
    root: name,
    contextTokens: PLAIN_CONTEXT_TOKENS,
    images: false,
    thinking: null,
  };
}
