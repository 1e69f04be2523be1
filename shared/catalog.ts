/**
 * The catalog: which models are served, at which price and within which limits, and how thinking is
 * controlled for each family (`thinking`, for the agent). It is read from one YAML file. A file
 * with any error is rejected as a whole.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { MODEL_ID } from './model-id.ts';
import { parseUsd, type Price, ZERO } from './money.ts';
import { systemFault } from './system-fault.ts';
import { parseYaml } from './yaml.ts';

export const SAMPLING_PARAMETERS = [
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
] as const;

/** What a model may list as supported: `top_logprobs` are the alternatives in `logprobs`. */
const LISTED_PARAMETERS = [...SAMPLING_PARAMETERS, 'logprobs', 'top_logprobs'] as const;
export type ListedParameter = (typeof LISTED_PARAMETERS)[number];

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

const price = z.string().refine((text) => (parseUsd(text) ?? -1n) >= ZERO, {
  error: 'a price must be in USD per token, as a decimal string with at most twelve decimals',
});

/** How thinking is controlled for a model family, in the terms of its chat template. */
export const Thinking = z.strictObject(
  {
    /** The key in `chat_template_kwargs` that turns thinking on and off. Null if there is none. */
    toggle: z.enum(['enable_thinking', 'thinking']).nullable(),
    /** What the family does when a request does not say. */
    default: z.enum(['on', 'off', 'adaptive']),
    /** Whether thinking can be turned off. If not, reasoning is withheld on demand but counted. */
    can_disable: z.boolean(),
    /** The efforts that the family supports, weakest first. Empty when it supports none. */
    efforts: z.array(z.enum(EFFORTS)).default([]),
    /** Where the effort goes: a field of the request, or a key in `chat_template_kwargs`. */
    effort_field: z.enum(['reasoning_effort', 'thinking_effort']).nullable().default(null),
    /** Whether the engine takes `thinking_token_budget` for this family. */
    budget: z.boolean().default(false),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'must be a thinking profile, or the name of one of thinking_profiles'
        : undefined,
  },
);
export type Thinking = z.infer<typeof Thinking>;

export const CatalogModel = z
  .strictObject({
    id: z.string().regex(MODEL_ID, 'a model id must be <namespace>/<model_name>'),
    name: z.string().min(1),
    hub_model_id: z.string().min(1),
    created: z.int().nonnegative(),
    input_modalities: z.array(z.enum(['text', 'image'])).nonempty(),
    output_modalities: z.array(z.literal('text')).default(['text']),
    quantization: z.string().min(1),
    context_length: z.int().positive(),
    max_output_length: z.int().positive(),
    pricing: z.strictObject({ prompt: price, completion: price, input_cache_read: price }),
    supported_sampling_parameters: z.array(z.enum(LISTED_PARAMETERS)),
    supported_features: z.array(z.enum(['tools', 'json_mode', 'reasoning'])),
    description: z.string(),
    thinking: Thinking.nullable().default(null),
  })
  .superRefine((model, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (model.max_output_length > model.context_length) {
      fault('max_output_length', 'is above context_length');
    }
    if (model.supported_features.includes('reasoning') !== (model.thinking !== null)) {
      fault(
        'thinking',
        'must be given if supported_features lists reasoning, and must not be given otherwise',
      );
    }
    const { pricing } = model;
    if ((parseUsd(pricing.input_cache_read) ?? ZERO) > (parseUsd(pricing.prompt) ?? ZERO)) {
      fault('pricing', 'input_cache_read is above prompt');
    }
  });
export type CatalogModel = z.infer<typeof CatalogModel>;

const Named = z.looseObject({
  thinking_profiles: z.record(z.string(), z.unknown()).default({}),
  models: z.array(z.unknown()),
});

/**
 * Replaces the name of a thinking profile in a model by the profile itself. Errors are left to the
 * validation that follows.
 */
function withProfiles(file: unknown): unknown {
  const named = Named.safeParse(file);
  if (!named.success) return file;
  const { thinking_profiles: profiles, models } = named.data;
  const resolved = models.map((model) => {
    if (typeof model !== 'object' || model === null || !('thinking' in model)) return model;
    const { thinking } = model;
    const isName = typeof thinking === 'string' && Object.hasOwn(profiles, thinking);
    return isName ? { ...model, thinking: profiles[thinking] } : model;
  });
  return { ...named.data, models: resolved };
}

const Models = z
  .strictObject({
    /** Thinking settings that several models share, by the name that a model's `thinking` gives. */
    thinking_profiles: z.record(z.string(), Thinking).default({}),
    models: z.array(CatalogModel).nonempty(),
  })
  .superRefine(({ models }, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of models.entries()) {
      if (seen.has(id)) {
        context.addIssue({
          code: 'custom',
          path: ['models', index, 'id'],
          message: 'is listed twice',
        });
      }
      seen.add(id);
    }
  });

const CatalogFile = z.preprocess(withProfiles, Models);

/** The models by id, in the file's order. */
export type Catalog = ReadonlyMap<string, CatalogModel>;

/** Parses catalog text. Throws an Error that names every error in it. */
export function parseCatalog(yaml: string): Catalog {
  const parsed = CatalogFile.safeParse(parseYaml(yaml));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return new Map(parsed.data.models.map((model) => [model.id, model]));
}

/** A catalog, and the text from which it was parsed. */
export type CatalogText = Readonly<{ text: string; parse: () => Catalog }>;

/**
 * Reads a catalog file. Throws an Error that names the file if it cannot be read; `parse` throws one
 * that names the file and every error in it.
 */
export async function readCatalogText(file: string): Promise<CatalogText> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`catalog ${file}: cannot be read: ${systemFault(error)}`, { cause: error });
  });
  return { text, parse: () => parseOf(file, text) };
}

/** Reads and parses a catalog file, with the same errors. */
export async function readCatalog(file: string): Promise<Catalog> {
  return (await readCatalogText(file)).parse();
}

function parseOf(file: string, text: string): Catalog {
  try {
    return parseCatalog(text);
  } catch (error) {
    throw new Error(`catalog ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** A model's list price in pico-USD per token. */
export function listPrice({ pricing }: CatalogModel): Price {
  const { prompt, completion, input_cache_read: cached } = pricing;
  return {
    prompt: parseUsd(prompt) ?? ZERO,
    completion: parseUsd(completion) ?? ZERO,
    cached: parseUsd(cached) ?? ZERO,
  };
}
