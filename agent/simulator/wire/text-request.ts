/** POST /v1/completions: a raw prompt, as text or as token ids. */
import { z } from 'zod';
import { answerRandom, planText } from '../answer/plan.ts';
import { encodeText, VOCABULARY_TOKENS } from '../text/tokenizer.ts';
import type { PlanParts } from './chat-request.ts';
import { parsed } from './errors.ts';
import type { Job } from './job.ts';
import { samplingOf } from './sampling.ts';
import { samplingFields } from './sampling-fields.ts';

const TextBody = z.object({
  ...samplingFields,
  logprobs: z.int().min(0).max(20).nullish(),
  prompt: z.union([
    z.string().min(1),
    z
      .array(
        z
          .int()
          .nonnegative()
          .max(VOCABULARY_TOKENS - 1),
      )
      .min(1),
  ]),
});

export function textJob(body: unknown, { model, seed, rules }: PlanParts): Job {
  const fields = parsed(TextBody, body);
  const text = typeof fields.prompt === 'string' ? fields.prompt : '';
  const prompt =
    typeof fields.prompt === 'string' ? encodeText(text) : Int32Array.from(fields.prompt);
  const sampling = samplingOf(fields, {
    model,
    rules,
    promptTokens: prompt.length,
    // An explicit null is no value either.
    maxTokens: fields.max_tokens ?? rules.textTokensDefault,
    logprobs: fields.logprobs ?? null,
  });
  const random = answerRandom(seed, sampling.seed, prompt);
  return {
    model,
    prompt,
    script: planText({ prompt: text, length: sampling.length }, random),
    sampling,
    namedTool: false,
    forcedTool: false,
    parsed: false,
    hideReasoning: false,
  };
}
