/**
 * Translates the public `reasoning` field to the fields of a model family's chat template. A
 * request without `reasoning` adds no fields, unless the family does not think by default. For such
 * a family, thinking is turned off explicitly: the engine may have been started with another
 * default, and the client would pay for reasoning that it did not request.
 */
import { EFFORTS, type Effort, type Thinking } from '../../shared/catalog.ts';
import type { Fields, ThinkingWords } from './dialects/dialect.ts';
import { isObject, type JsonObject } from './json.ts';

export type ThinkingPlan = Readonly<{
  /** What to add to the engine's body. */
  fields: Fields;
  /** Whether reasoning text is withheld from the client. Its tokens are counted all the same. */
  strip: boolean;
}>;

type RequestedReasoning = {
  off: boolean;
  /** Whether the client wants no text of reasoning. */
  excluded: boolean;
  on: boolean;
  effort: Effort | null;
  budget: number | null;
};

const NOTHING: ThinkingPlan = { fields: {}, strip: false };

/** The largest thinking budget of each effort, for families that support only efforts. */
const EFFORT_TOKENS_MAX: readonly (readonly [Effort, number])[] = [
  ['minimal', 1_024],
  ['low', 4_096],
  ['medium', 16_384],
  ['high', 32_768],
  ['xhigh', 65_536],
];

/**
 * Returns the plan for one request. `reasoning` is the client's field (absent: undefined or null),
 * and `words` says what the kind of engine understands.
 */
export function planThinking(
  reasoning: unknown,
  family: Thinking | null,
  words: ThinkingWords,
): ThinkingPlan {
  if (!family) return NOTHING;
  const requested = parseRequested(reasoning);
  if (requested.off) return offPlan(family, words);
  const strip = requested.excluded;
  if (requested.on) return { fields: onFields(requested, family, words), strip };
  return { fields: family.default === 'off' ? toggled(family, false, words) : {}, strip };
}

function parseRequested(reasoning: unknown): RequestedReasoning {
  const from = isObject(reasoning) ? reasoning : {};
  const { enabled, effort: level, max_tokens: tokens, exclude } = from;
  const effort = EFFORTS.find((known) => known === level) ?? null;
  const budget = typeof tokens === 'number' ? tokens : null;
  return {
    off: enabled === false || effort === 'none',
    excluded: exclude === true,
    on: enabled === true || effort !== null || budget !== null,
    effort,
    budget,
  };
}

function offPlan(family: Thinking, words: ThinkingWords): ThinkingPlan {
  if (family.can_disable && family.toggle) {
    return { fields: toggled(family, false, words), strip: true };
  }
  // The family cannot turn thinking off: the weakest effort is used, and the text is withheld.
  return { fields: effortFields('none', family, words), strip: true };
}

function onFields(requested: RequestedReasoning, family: Thinking, words: ThinkingWords): Fields {
  const fields = toggled(family, true, words);
  const budgeted = requested.budget !== null && family.budget && words.budget;
  if (budgeted) fields['thinking_token_budget'] = requested.budget;
  const effort =
    requested.effort ??
    (requested.budget !== null && !budgeted ? effortOf(requested.budget) : null);
  return effort ? merged(fields, effortFields(effort, family, words)) : fields;
}

function toggled(family: Thinking, on: boolean, words: ThinkingWords): Fields {
  if (!family.toggle) return {};
  if (words.switch === 'effort') return on ? {} : { reasoning_effort: 'none' };
  return { chat_template_kwargs: { [family.toggle]: on } };
}

function effortFields(effort: Effort, family: Thinking, words: ThinkingWords): Fields {
  const nearest = nearestEffort(effort, family.efforts);
  if (!nearest || !family.effort_field) return {};
  // An engine whose switch is the effort has no efforts for a family that can be switched.
  if (family.toggle && words.switch === 'effort') return {};
  return family.effort_field === 'reasoning_effort' && words.effort === 'body'
    ? { reasoning_effort: nearest }
    : { chat_template_kwargs: { [family.effort_field]: nearest } };
}

function merged(fields: Fields, more: Fields): Fields {
  const template = {
    ...templateOf(fields),
    ...templateOf(more),
  };
  const all = { ...fields, ...more };
  return Object.keys(template).length > 0 ? { ...all, chat_template_kwargs: template } : all;
}

function templateOf({ chat_template_kwargs: template }: Fields): JsonObject {
  return isObject(template) ? template : {};
}

/**
 * Returns the supported effort nearest to the wanted one, or null. Of two equally near ones, the
 * weaker is returned, which costs less.
 */
function nearestEffort(wanted: Effort, supported: readonly Effort[]): Effort | null {
  const rank = EFFORTS.indexOf(wanted);
  let best: Effort | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const effort of supported) {
    const away = Math.abs(EFFORTS.indexOf(effort) - rank);
    if (away < distance) [best, distance] = [effort, away];
  }
  return best;
}

function effortOf(tokens: number): Effort {
  return EFFORT_TOKENS_MAX.find(([, most]) => tokens <= most)?.[0] ?? 'max';
}
