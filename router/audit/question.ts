/** What of a sampled request can be compared: some requests have tokens that their text does not show. */
import { z } from 'zod';

/** Requests with a larger body are not sampled. */
export const BODY_BYTES_MAX = 256 * 1024;

/** What decides a prompt's length; the request's schema has been checked before. */
const Body = z.object({
  prompt: z.string().nullish(),
  messages: z.array(z.looseObject({ content: z.unknown().optional() })).nullish(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  reasoning: z
    .looseObject({ enabled: z.unknown().optional(), effort: z.unknown().optional() })
    .nullish(),
  stop: z.unknown().optional(),
});

export type Question = Readonly<{
  /** A body with as much of the client's as its prompt is made of; null: it is not of text alone. */
  prompt: string | null;
  /** Whether all that is generated is in the answer: no thoughts withheld, no stop sequence cut off. */
  isShownWhole: boolean;
}>;

export function questionOf(raw: Buffer): Question {
  const { stop, ...made } = Body.parse(JSON.parse(raw.toString('utf8')));
  const { messages, reasoning } = made;
  const hasImages = messages?.some(
    ({ content }) => Array.isArray(content) && content.some(isImage),
  );
  const isThoughtHidden = reasoning?.enabled === false || reasoning?.effort === 'none';
  return {
    prompt: hasImages ? null : JSON.stringify(made),
    isShownWhole: !isThoughtHidden && (stop ?? null) === null,
  };
}

function isImage(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'image_url';
}
