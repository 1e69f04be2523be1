/** POST /tokenize: the tokens that a prompt or a conversation would have as a request. */
import { z } from 'zod';
import type { ServedModel } from '../models.ts';
import { encodeText } from '../text/tokenizer.ts';
import { assertTools, chatPrompt, promptFields } from '../wire/chat-request.ts';
import { notFound, parsed } from '../wire/errors.ts';

const model = z.string().nullish();
const TokenizePrompt = z.object({ model, prompt: z.string() });
const TokenizeChat = z.object({ model, ...promptFields });

export function tokenize(models: ReadonlyMap<string, ServedModel>, body: unknown): object {
  const isPrompt = typeof body === 'object' && body !== null && 'prompt' in body;
  const fields = isPrompt ? parsed(TokenizePrompt, body) : parsed(TokenizeChat, body);
  const [first] = models.values();
  const served = fields.model == null ? first : models.get(fields.model);
  if (!served) throw notFound(`The model \`${fields.model}\` does not exist.`, 'model');
  if ('messages' in fields) assertTools(fields);
  const tokens = 'prompt' in fields ? encodeText(fields.prompt) : chatPrompt(fields, served);
  return {
    count: tokens.length,
    max_model_len: served.contextTokens,
    tokens: Array.from(tokens),
    token_strs: null,
  };
}
