/**
 * Makes prompts of a given length. Equal blocks give equal text, so that prefixes repeat as they
 * did in the trace.
 */
import { type Random, seededRandom } from '../../shared/random.ts';
import type { Job } from './workload.ts';

const BLOCK_TOKENS = 512;
/** Each word is one token for the simulator's tokenizer, and about one token for real ones. */
const WORDS =
  'dam gate flow head pipe lake rain snow rock sand mill fish tide pump weir spill'.split(' ');

function words(random: Random, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += `${WORDS[random.below(WORDS.length)]} `;
  return text;
}

function blockText(id: number, tokens: number): string {
  return words(seededRandom(id), tokens);
}

/** Returns the prompt of the `index`th job. Its length is close to the job's `promptTokens`. */
export function promptOf(job: Job, index: number): string {
  const instruction = `Write exactly ${job.completionTokens} tokens.`;
  const room = Math.max(0, job.promptTokens - 16);
  if (!job.blocks) return `${index} ${words(seededRandom(index), room)}\n${instruction}`;
  let text = '';
  for (const [place, id] of job.blocks.entries()) {
    const left = room - place * BLOCK_TOKENS;
    if (left <= 0) break;
    text += blockText(id, Math.min(BLOCK_TOKENS, left));
  }
  return `${text}\n${instruction}`;
}
