/** Identifies the kind of an engine by its endpoints. The configuration does not name it. */
import type { Dialect, Look, Self } from './dialects/dialect.ts';
import { llamacpp } from './dialects/llamacpp.ts';
import { ollama } from './dialects/ollama.ts';
import { openai } from './dialects/openai.ts';
import { sglang } from './dialects/sglang.ts';
import { vllmLike } from './dialects/vllm-like.ts';
import { vllm } from './dialects/vllm.ts';

/** The order matters: the most specific checks come first. */
const DIALECTS: readonly Dialect[] = [sglang, llamacpp, vllm, ollama, vllmLike];

export async function identify(look: Look): Promise<Readonly<{ dialect: Dialect; self: Self }>> {
  for (const dialect of DIALECTS) {
    const self = await dialect.recognise(look);
    if (self) return { dialect, self };
  }
  const self = { version: null, kvTokens: null, reportsCached: null, notes: [] };
  return { dialect: openai, self };
}
