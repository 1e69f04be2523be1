/**
 * Decides whether a model thinks about a prompt, and for how long, by the profile of its family and
 * by the request.
 */
import type { Effort, Thinking } from '../../../shared/catalog.ts';
import type { Random } from '../../../shared/random.ts';
import { looksHard } from '../text/reading.ts';

export interface ThinkingInput {
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly effort: string | null;
  readonly budget: number | null;
}

/** Short on purpose, because tests have to wait for the reasoning. */
const THOUGHT_TOKENS: Readonly<Record<Effort, number>> = {
  none: 16,
  minimal: 16,
  low: 32,
  medium: 64,
  high: 128,
  xhigh: 192,
  max: 256,
};

/**
 * Returns the number of reasoning tokens, or null for no reasoning. As on the real engine, only the
 * family's own key in `chat_template_kwargs` switches thinking. An effort alone or a `reasoning`
 * object does not.
 */
export function thoughtTokens(
  profile: Thinking | null,
  input: ThinkingInput,
  prompt: string,
  random: Random,
): number | null {
  if (!profile || !thinks(profile, input, prompt)) return null;
  const usual = THOUGHT_TOKENS[effortOf(profile, input)];
  const tokens = Math.round(usual * (0.8 + 0.4 * random.unit()));
  return profile.budget && input.budget !== null ? Math.min(tokens, input.budget) : tokens;
}

function thinks(profile: Thinking, { kwargs }: ThinkingInput, prompt: string): boolean {
  if (profile.toggle === null || !profile.can_disable) return true;
  const switched = kwargs[profile.toggle];
  if (typeof switched === 'boolean') return switched;
  return profile.default === 'on' || (profile.default === 'adaptive' && looksHard(prompt));
}

function effortOf(profile: Thinking, { kwargs, effort }: ThinkingInput): Effort {
  const said = profile.effort_field === 'thinking_effort' ? kwargs['thinking_effort'] : effort;
  return isEffort(said) ? said : 'medium';
}

function isEffort(value: unknown): value is Effort {
  return typeof value === 'string' && value in THOUGHT_TOKENS;
}
