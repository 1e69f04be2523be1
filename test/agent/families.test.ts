/**
 * Every model family in the shipped catalog, with every form of the `reasoning` parameter, on every
 * kind of engine.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import type { ThinkingWords } from '../../agent/engine/dialects/dialect.ts';
import { llamacpp } from '../../agent/engine/dialects/llamacpp.ts';
import { ollama } from '../../agent/engine/dialects/ollama.ts';
import { openai } from '../../agent/engine/dialects/openai.ts';
import { sglang } from '../../agent/engine/dialects/sglang.ts';
import { vllm } from '../../agent/engine/dialects/vllm.ts';
import { planThinking } from '../../agent/engine/reasoning.ts';
import { EFFORTS, Thinking } from '../../shared/catalog.ts';

const file = await readFile(new URL('../../configs/catalog.yaml', import.meta.url), 'utf8');
const { thinking_profiles: given } = parse(file) as { thinking_profiles: Record<string, unknown> };
const families = new Map(
  Object.entries(given).map(([name, value]) => [name, Thinking.parse(value)]),
);

/** The forms of the parameter, as columns of the table below. */
const ASKED = {
  nothing: undefined,
  on: { enabled: true },
  off: { enabled: false },
  none: { effort: 'none' },
  minimal: { effort: 'minimal' },
  medium: { effort: 'medium' },
  max: { effort: 'max' },
  some: { max_tokens: 3_000 },
  many: { max_tokens: 200_000 },
} as const;
type Way = keyof typeof ASKED;

const template = (fields: object) => ({ chat_template_kwargs: fields });

/**
 * A family that has only a switch. `unsaid`: its fields when the request does not mention
 * reasoning.
 */
function switched(key: string, unsaid: object): Record<Way, object> {
  const on = template({ [key]: true });
  const off = template({ [key]: false });
  return {
    nothing: unsaid,
    on,
    off,
    none: off,
    minimal: on,
    medium: on,
    max: on,
    some: on,
    many: on,
  };
}

/** A family with efforts: the fields for each effort, and the fields that are always set. */
function graded(
  beside: object,
  { nothing, on, off }: Record<'nothing' | 'on' | 'off', object>,
  [low, medium, max]: readonly [object, object, object],
): Record<Way, object> {
  const of = (effort: object) => {
    const kwargs = {
      ...beside,
      ...(effort as { chat_template_kwargs?: object }).chat_template_kwargs,
    };
    return { ...effort, ...(Object.keys(kwargs).length > 0 && template(kwargs)) };
  };
  return {
    nothing,
    on,
    off,
    none: off,
    minimal: of(low),
    medium: of(medium),
    max: of(max),
    some: of(low),
    many: of(max),
  };
}

const thinkingOff = template({ thinking: false });
const thinkingOn = template({ thinking: true });
const field = (effort: string) => ({ reasoning_effort: effort });
const key = (name: string, effort: string) => template({ [name]: effort });

const ALWAYS = Object.fromEntries(Object.keys(ASKED).map((way) => [way, {}])) as Record<
  Way,
  object
>;
const GRADED = {
  v4: { nothing: thinkingOff, on: thinkingOn, off: thinkingOff },
  k3: { nothing: {}, on: thinkingOn, off: thinkingOff },
};
const K3 = ['low', 'high', 'max'].map((effort) => key('thinking_effort', effort)) as [
  object,
  object,
  object,
];

/**
 * The fields that an engine gets for a family, by the form of the parameter, on engines that read
 * `reasoning_effort`.
 */
const EXPECTED: Readonly<Record<string, Record<Way, object>>> = {
  qwen: switched('enable_thinking', {}),
  glm: switched('enable_thinking', {}),
  nemotron: switched('enable_thinking', {}),
  gemma: switched('enable_thinking', template({ enable_thinking: false })),
  'deepseek-v3': switched('thinking', thinkingOff),
  'deepseek-v4': graded({ thinking: true }, GRADED.v4, [
    field('high'),
    field('high'),
    field('max'),
  ]),
  granite: switched('thinking', thinkingOff),
  'kimi-k2': switched('thinking', {}),
  // Medium is as close to low as to high, so the weaker effort is used, because it costs less.
  'kimi-k3': graded({ thinking: true }, GRADED.k3, [K3[0], K3[0], K3[2]]),
  'gpt-oss': graded({}, { nothing: {}, on: {}, off: field('low') }, [
    field('low'),
    field('medium'),
    field('high'),
  ]),
  minimax: switched('thinking', {}),
  always: ALWAYS,
};

/**
 * The fields for llama.cpp, which does not read `reasoning_effort`: arguments of the chat template
 * instead.
 */
const IN_TEMPLATE: Readonly<Record<string, Record<Way, object>>> = {
  ...EXPECTED,
  'deepseek-v4': graded({ thinking: true }, GRADED.v4, [
    key('reasoning_effort', 'high'),
    key('reasoning_effort', 'high'),
    key('reasoning_effort', 'max'),
  ]),
  'gpt-oss': graded({}, { nothing: {}, on: {}, off: key('reasoning_effort', 'low') }, [
    key('reasoning_effort', 'low'),
    key('reasoning_effort', 'medium'),
    key('reasoning_effort', 'high'),
  ]),
};

/** Ollama thinks unless its effort is `none`, and takes efforts for gpt-oss only. */
const NO_EFFORT = field('none');
const BY_EFFORT: Readonly<Record<string, Record<Way, object>>> = Object.fromEntries(
  Object.entries(EXPECTED).map(([name, fields]) => {
    if (name === 'gpt-oss' || name === 'always') return [name, fields];
    const nothing = families.get(name)?.default === 'off' ? NO_EFFORT : {};
    return [name, { ...ALWAYS, nothing, off: NO_EFFORT, none: NO_EFFORT }];
  }),
);

/** Only vLLM accepts a number of tokens, and only for families whose profile says so. */
const WITH_BUDGET: Readonly<Record<string, Record<Way, object>>> = {
  ...EXPECTED,
  qwen: {
    ...(EXPECTED['qwen'] as Record<Way, object>),
    some: { ...template({ enable_thinking: true }), thinking_token_budget: 3_000 },
    many: { ...template({ enable_thinking: true }), thinking_token_budget: 200_000 },
  },
};

const ENGINES: readonly (readonly [string, ThinkingWords, typeof EXPECTED])[] = [
  ['vllm', vllm.thinking, WITH_BUDGET],
  ['sglang', sglang.thinking, EXPECTED],
  ['llamacpp', llamacpp.thinking, IN_TEMPLATE],
  ['ollama', ollama.thinking, BY_EFFORT],
  ['openai', openai.thinking, EXPECTED],
];

test('the catalog has the families of the table, and no others', () => {
  expect([...families.keys()].toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
});

test.each(ENGINES)(
  'every family, asked in every way, is told %s in its words',
  (_name, words, expected) => {
    for (const [name, family] of families) {
      for (const [way, asked] of Object.entries(ASKED)) {
        const plan = planThinking(asked, family, words);
        const where = `${name}, ${way}`;
        expect([where, plan.fields]).toEqual([where, expected[name]?.[way as Way]]);
        expect([where, plan.strip]).toEqual([where, way === 'off' || way === 'none']);
      }
    }
  },
);

/** The fields that SGLang derives from its own `reasoning` parameter, according to its source. */
function asSglangReads({ enabled, effort }: { enabled?: boolean; effort?: string }): object {
  return {
    ...(effort && ['low', 'medium', 'high'].includes(effort) && { reasoning_effort: effort }),
    ...(enabled && template({ thinking: true })),
  };
}

test("SGLang's own `reasoning` is never used: it turns nothing off, and does not know every switch", () => {
  expect(asSglangReads({ enabled: false })).toEqual({});
  expect(asSglangReads({ enabled: true })).toEqual(thinkingOn);
  for (const [name, family] of families) {
    for (const asked of Object.values(ASKED)) {
      const { fields } = planThinking(asked, family, sglang.thinking);
      expect(fields).not.toHaveProperty('reasoning');
      expect(fields).not.toHaveProperty('thinking_token_budget');
    }
    // Wherever SGLang's parameter has an effect, our fields have at least the same.
    if (family.toggle !== 'thinking') continue;
    const ours = planThinking({ enabled: true }, family, sglang.thinking).fields;
    expect([name, ours]).toEqual([name, asSglangReads({ enabled: true })]);
  }
});

test('an effort that is sent is always one that the family knows, or the switch of the engine', () => {
  for (const family of families.values()) {
    for (const effort of EFFORTS) {
      for (const [, words] of ENGINES) {
        const { fields } = planThinking({ effort }, family, words);
        const kwargs = (fields['chat_template_kwargs'] ?? {}) as Record<string, unknown>;
        const sent =
          fields['reasoning_effort'] ?? kwargs['reasoning_effort'] ?? kwargs['thinking_effort'];
        const isSwitch = family.toggle !== null && words.switch === 'effort';
        const known = isSwitch ? ['none'] : family.efforts;
        if (sent !== undefined) expect(known).toContain(sent);
      }
    }
  }
});
