/** How long a prompt is, by the engine's own tokenizer: for a request that ended before it said so. */
import { z } from 'zod';
import { type Asking, askJson } from './ask.ts';
import { promptFields } from './body.ts';
import type { Fields } from './dialects/dialect.ts';

/** The router waits a second in all for a cancelled attempt's last counts. */
const TOKENIZE_MS_MAX = 800;

const Counted = z.object({ count: z.int().nonnegative().max(0xffff_ffff) });

/** The prompt's tokens; 0 where the engine does not say in time. */
export async function countPrompt(asking: Asking, path: string, body: Fields): Promise<number> {
  const question = { path, timeoutMs: TOKENIZE_MS_MAX, body: JSON.stringify(promptFields(body)) };
  const counted = Counted.safeParse(await askJson(asking, question));
  return counted.success ? counted.data.count : 0;
}
