/**
 * Ollama (docs/engines.md): the OpenAI protocol, with reasoning in a field of its own, `reasoning`.
 * It lists every model on its disk and loads a model on the first request for it, so it is never
 * probed.
 */
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { openai } from './openai.ts';
import { VersionText } from './version.ts';

const ApiVersion = z.object({ version: VersionText });

export const ollama: Dialect = {
  ...openai,
  name: 'ollama',
  async recognise(look) {
    const is = ApiVersion.safeParse(await look('/api/version'));
    if (!is.success) return null;
    const notes = ['it truncates a prompt that is longer than its num_ctx, without an error'];
    return { version: is.data.version, kvTokens: null, reportsCached: false, notes };
  },
  reasoningField: 'reasoning',
  // It ignores `chat_template_kwargs`, and refuses efforts for all families but gpt-oss, which has no
  // switch. What can think does so unless the effort is `none`.
  thinking: { ...openai.thinking, switch: 'effort' },
  jsonFormat: { type: 'json_object' },
  probed: false,
};
