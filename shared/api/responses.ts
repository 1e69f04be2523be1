/**
 * The request bodies of the Responses API, as far as they differ from chat completions: what they
 * have in common is checked after the translation (`router/request/reading/translate/`). An optional
 * field that is `null` counts as absent.
 */
import { z } from 'zod';
import { EFFORTS } from '../catalog.ts';

const list = z.array(z.unknown());
const METADATA = { keysMax: 16, keyCharsMax: 64, valueCharsMax: 512 } as const;

/** A request, without checks of its items and tools. */
export const ResponsesRequest = z.looseObject({
  input: z.union([z.string(), list.nonempty()], 'must be a text, or a list of items'),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  metadata: z
    .record(z.string().max(METADATA.keyCharsMax), z.string().max(METADATA.valueCharsMax))
    .refine((pairs) => Object.keys(pairs).length <= METADATA.keysMax, {
      error: `at most ${METADATA.keysMax} keys`,
    })
    .nullish(),
  reasoning: z.looseObject({ effort: z.enum(EFFORTS).nullish() }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  include: list.nullish(),
  store: z.boolean().nullish(),
  tools: list.nullish(),
  tool_choice: z
    .union(
      [
        z.enum(['none', 'auto', 'required']),
        z.looseObject({
          type: z.literal(
            'function',
            'must be function: to allow only some tools, offer only those',
          ),
          name: z.string(),
        }),
      ],
      'must be none, auto, required or {"type": "function", "name": …}',
    )
    .nullish(),
});
export type ResponsesRequest = z.infer<typeof ResponsesRequest>;

const content = z.union([z.string(), list], 'must be a text, or a list of parts');

/** The items of the input, by their type, without checks of their parts. */
export const Items = {
  message: z.looseObject({
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  function_call: z.looseObject({
    call_id: z.string(),
    name: z.string(),
    /** The group of the function, if it has one. */
    namespace: z.string().nullish(),
    arguments: z.string(),
  }),
  function_call_output: z.looseObject({ call_id: z.string(), output: content }),
  reasoning: z.looseObject({
    content: list.nullish(),
    encrypted_content: z.string().nullish(),
  }),
} as const;

/** A group of functions. */
export const Namespace = z.looseObject({ name: z.string().min(1), tools: list });

const text = z.looseObject({ text: z.string() });

/** The parts of items, by their type. */
export const Parts = {
  input_text: text,
  output_text: text,
  reasoning_text: text,
  refusal: z.looseObject({ refusal: z.string() }),
  input_image: z.looseObject({
    image_url: z.string('must be a data URI: files are not stored'),
  }),
} as const;
