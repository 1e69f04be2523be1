/** The body of a chat completion, as far as the playground uses it. */
import type { Tool } from './tools.ts';

type TextPart = Readonly<{ type: 'text'; text: string }>;
type ImagePart = Readonly<{ type: 'image_url'; image_url: Readonly<{ url: string }> }>;

type SentCall = Readonly<{
  id: string;
  type: 'function';
  function: Readonly<{ name: string; arguments: string }>;
}>;

export type Message = Readonly<
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | readonly (TextPart | ImagePart)[] }
  | { role: 'assistant'; content: string | null; tool_calls?: readonly SentCall[] }
  | { role: 'tool'; content: string; tool_call_id: string }
>;

/** The body of a request, its members in the order in which people read them. */
export type Body = Readonly<{
  model: string;
  messages: readonly Message[];
  tools?: readonly Tool[];
  tool_choice?: string;
  response_format?: Readonly<{ type: 'json_object' }>;
  reasoning?: Readonly<{ effort: string }>;
  stop?: readonly string[];
  stream: true;
  stream_options: Readonly<{ include_usage: true }>;
}> &
  Readonly<Record<string, unknown>>;
