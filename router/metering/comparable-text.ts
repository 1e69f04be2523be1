/** The text of a sampled request that can be compared. The text does not show all tokens. */
import { z } from 'zod';

/** Requests with a larger body are not sampled. */
export const BODY_BYTES_MAX = 256 * 1024;

/** The fields that determine the length of a prompt. The request's schema was checked before. */
const Body = z.object({
  prompt: z.union([z.string(), z.array(z.string())]).nullish(),
  messages: z.array(z.looseObject({ content: z.unknown().optional() })).nullish(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  reasoning: z.looseObject({}).nullish(),
  stop: z.unknown().optional(),
});

export type ComparableText = Readonly<{
  /** A body with only the fields that make up the prompt. Null when the prompt is not only text. */
  prompt: string | null;
  /** Whether no stop sequence is cut from the answer. */
  hasNoStop: boolean;
}>;

export function comparableTextOf(raw: Buffer): ComparableText {
  const { stop, ...made } = Body.parse(JSON.parse(raw.toString('utf8')));
  const { messages } = made;
  const hasImages = messages?.some(
    ({ content }) => Array.isArray(content) && content.some(isImage),
  );
  return {
    prompt: hasImages ? null : JSON.stringify(made),
    hasNoStop: (stop ?? null) === null,
  };
}

function isImage(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'image_url';
}
