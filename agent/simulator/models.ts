/** The models that the engine serves, each under the name of its checkpoint. */
import { type CatalogModel, readCatalog, type Thinking } from '../../shared/catalog.ts';
import { BLOCK_TOKENS } from './kv/block-hash.ts';

export interface ServedModel {
  /** What requests call it. */
  readonly id: string;
  readonly root: string;
  /** Prompt and answer together. */
  readonly contextTokens: number;
  readonly images: boolean;
  readonly thinking: Thinking | null;
}

/** What a name that stands in no catalog is taken to be. */
const PLAIN_CONTEXT_TOKENS = 262_144;

/**
 * The catalog's models, or those of them that are named, by either id. A name that stands in no
 * catalog is a plain text model. No model's context is longer than its share of the KV cache.
 */
export async function servedModels(options: {
  readonly catalog?: string | undefined;
  readonly model: readonly string[];
  readonly kvBlocks: number;
  /** How many requests the KV cache is divided among; 1 where each may have it all. */
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
