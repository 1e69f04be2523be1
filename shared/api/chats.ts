/** Chats of the playground that people keep in their account. */
import { z } from 'zod';
import { keptChats } from '../bounds/kept-chats.ts';
import { count, instant, PRINTED, PRINTED_FAULT } from './fields.ts';
import { page } from './pages.ts';

const ChatTitle = z
  .string()
  .trim()
  .min(1, 'Enter a title.')
  .max(keptChats.titleCharsMax, `Enter at most ${keptChats.titleCharsMax} characters.`)
  .regex(PRINTED, PRINTED_FAULT);

const ChatContents = z
  .string()
  .max(keptChats.contentsCharsMax, 'This chat is too large to be kept in your account.')
  .regex(/^[\w-]{2,}$/, 'Send the chat compressed, in base64url.')
  .describe(
    'The JSON of the chat, as the playground shares it, compressed with raw DEFLATE and in ' +
      'base64url. The service stores it encrypted and never reads it.',
  )
  .meta({ examples: ['q1YqSM0rLskvik_OSCxRsjKs1VHKScxLLVayio4FEiWlRWAGUKK2FgA'] });

const version = z.int().positive();

export const NewChat = z.strictObject({ title: ChatTitle, contents: ChatContents });

export const ChatChange = z.strictObject({
  title: ChatTitle,
  contents: ChatContents,
  version: version.describe(
    'The version that this one replaces. If the chat has another one by now, it was changed ' +
      'elsewhere: the answer is 409 with `param` set to `version`, and nothing is changed.',
  ),
});

export const ChatDeletion = z.strictObject({
  version: z.coerce
    .number()
    .pipe(version)
    .optional()
    .meta({ type: 'integer', minimum: 1 })
    .describe(
      'Deletes the chat only if it has this version. Otherwise the answer is 409 with `param` set ' +
        'to `version`.',
    ),
});

export const Chat = z.object({
  id: z.string(),
  title: z.string(),
  version: version.describe('Each change adds 1.'),
  bytes: count.describe('The size of the compressed contents.'),
  created: instant,
  changed: instant,
});
export type Chat = z.infer<typeof Chat>;
export const ChatPage = page(Chat);

export const ChatWithContents = Chat.extend({ contents: ChatContents });
export type ChatWithContents = z.infer<typeof ChatWithContents>;
