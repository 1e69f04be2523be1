/**
 * The request bodies of the Messages API, as far as they differ from chat completions: what they
 * have in common is checked after the translation (`router/request/reading/translate/`). An optional
 * field that is `null` counts as absent.
 */
import { z } from 'zod';
import { EFFORTS } from '../catalog.ts';

const list = z.array(z.unknown());
const content = z.union([z.string(), list], 'must be a text, or a list of content blocks');

/** What a type must be, when it is none of those that a union has. */
function mustBe(types: string): z.core.$ZodDiscriminatedUnionParams {
  return { error: ({ code }) => (code === 'invalid_union' ? `must be ${types}` : undefined) };
}

/** A request, without checks of its messages, content blocks and tools. */
export const MessagesRequest = z.looseObject({
  max_tokens: z.int().min(1).nullish(),
  messages: list.nonempty(),
  system: content.nullish(),
  stop_sequences: list.nullish(),
  thinking: z
    .discriminatedUnion(
      'type',
      [
        z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1).nullish() }),
        z.looseObject({ type: z.enum(['adaptive', 'between_tools']) }),
        z.looseObject({ type: z.literal('disabled') }),
      ],
      mustBe('enabled, adaptive, between_tools or disabled'),
    )
    .nullish(),
  output_config: z.looseObject({ effort: z.enum(EFFORTS).nullish() }).nullish(),
  tools: list.nullish(),
  tool_choice: z
    .discriminatedUnion(
      'type',
      [
        z.looseObject({
          type: z.enum(['auto', 'any', 'none']),
          disable_parallel_tool_use: z.boolean().nullish(),
        }),
        z.looseObject({
          type: z.literal('tool'),
          name: z.string(),
          disable_parallel_tool_use: z.boolean().nullish(),
        }),
      ],
      mustBe('auto, any, none or tool'),
    )
    .nullish(),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;

export const Turn = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content });

/** Content blocks, by their type. */
export const Blocks = {
  text: z.looseObject({ text: z.string() }),
  image: z.looseObject({
    source: z.looseObject({
      type: z.literal('base64', 'must be base64: other images are not fetched'),
      media_type: z.string(),
      data: z.string(),
    }),
  }),
  thinking: z.looseObject({ thinking: z.string() }),
  tool_use: z.looseObject({
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  tool_reference: z.looseObject({ tool_name: z.string() }),
  tool_result: z.looseObject({
    tool_use_id: z.string(),
    content: content.nullish(),
    is_error: z.boolean().nullish(),
  }),
} as const;

export const MessagesTool = z.looseObject({
  type: z.literal('custom').nullish(),
  name: z.string(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().nullish(),
});
