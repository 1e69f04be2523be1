/** The schemas by which the router reads the bodies of each API, with the notes on their fields. */
import { z } from 'zod';
import { SAME as SAME_IN_MESSAGES } from '../../../../router/request/reading/translate/messages.ts';
import { SAME as SAME_IN_RESPONSES } from '../../../../router/request/reading/translate/responses.ts';
import {
  ChatRequest,
  CompletionRequest,
  Message,
  Tool,
  ToolCall,
  UserPart,
} from '../../../../shared/api/inference.ts';
import { Blocks, MessagesRequest, MessagesTool, Turn } from '../../../../shared/api/messages.ts';
import type { NOT_OFFERED } from '../../../../shared/api/parameters.ts';
import { Items, Namespace, Parts, ResponsesRequest } from '../../../../shared/api/responses.ts';
import { CHAT, CHAT_ELEMENTS, COMPLETION, type Notes } from './chat-notes.ts';
import { MESSAGES, MESSAGES_ELEMENTS } from './messages-notes.ts';
import { RESPONSES, RESPONSES_ELEMENTS } from './responses-notes.ts';

export type ReferencePage = Readonly<{
  /** The file below `docs/inference/`. */
  file: string;
  api: keyof typeof NOT_OFFERED;
  body: z.ZodType;
  notes: Notes;
  /** The objects in the lists of the body, by the name of their kind. */
  elements: Readonly<Record<string, z.ZodType>>;
  elementNotes: Readonly<Record<string, Notes>>;
}>;

type Shape = Record<string, z.ZodType>;

/** The fields that a translation takes over from the body as they are are those of a chat. */
function withChatFields(own: z.ZodObject, names: readonly string[]): z.ZodType {
  const chat = ChatRequest.shape as Shape;
  const same = Object.fromEntries(names.map((name) => [name, chat[name] as z.ZodType]));
  return z.looseObject({ ...same, ...own.shape });
}

const FUNCTION = z.looseObject({ type: z.literal('function'), ...Tool.shape.function.shape });

/** The members of a part or an item, and the type that chooses its schema. */
function typed(schemas: Readonly<Record<string, z.ZodObject>>): Shape {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [
      type,
      z.looseObject({ type: z.literal(type), ...schema.shape }),
    ]),
  );
}

export const REFERENCE: readonly ReferencePage[] = [
  {
    file: 'chat-completions.md',
    api: 'chat',
    body: ChatRequest,
    notes: CHAT,
    elements: { message: Message, part: UserPart, 'tool call': ToolCall, tool: Tool },
    elementNotes: CHAT_ELEMENTS,
  },
  {
    file: 'completions.md',
    api: 'completions',
    body: CompletionRequest,
    notes: COMPLETION,
    elements: {},
    elementNotes: {},
  },
  {
    file: 'responses.md',
    api: 'responses',
    body: withChatFields(ResponsesRequest, SAME_IN_RESPONSES),
    notes: RESPONSES,
    elements: {
      ...typed(Items),
      ...typed(Parts),
      function: FUNCTION,
      ...typed({ namespace: Namespace }),
    },
    elementNotes: RESPONSES_ELEMENTS,
  },
  {
    file: 'messages.md',
    api: 'messages',
    body: withChatFields(MessagesRequest, SAME_IN_MESSAGES),
    notes: MESSAGES,
    elements: { message: Turn, ...typed(Blocks), tool: MessagesTool },
    elementNotes: MESSAGES_ELEMENTS,
  },
];
