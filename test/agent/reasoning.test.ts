/** The public `reasoning` parameter, translated for each model family. */
import { expect, test } from 'vitest';
import { vllm } from '../../agent/engine/dialects/vllm.ts';
import { planThinking } from '../../agent/engine/reasoning.ts';
import type { Thinking } from '../../shared/catalog.ts';

const family = (given: Partial<Thinking>): Thinking => ({
  toggle: null,
  default: 'on',
  can_disable: true,
  efforts: [],
  effort_field: null,
  budget: false,
  ...given,
});

const QWEN = family({ toggle: 'enable_thinking', budget: true });
const KIMI_THINKING = family({ can_disable: false });
const DEEPSEEK_V4 = family({
  toggle: 'thinking',
  default: 'off',
  efforts: ['high', 'max'],
  effort_field: 'reasoning_effort',
});
const KIMI_K3 = family({
  toggle: 'thinking',
  efforts: ['low', 'high', 'max'],
  effort_field: 'thinking_effort',
});
const GPT_OSS = family({
  can_disable: false,
  efforts: ['low', 'medium', 'high'],
  effort_field: 'reasoning_effort',
});
const ADAPTIVE = family({ toggle: 'thinking', default: 'adaptive' });

const template = (fields: object) => ({ chat_template_kwargs: fields });
const OFF = { enabled: false };

const CASES: readonly [string, unknown, Thinking | null, object, boolean][] = [
  ['nothing said, nothing sent', undefined, QWEN, {}, false],
  ['null is nothing said', null, QWEN, {}, false],
  ['an empty object is nothing said', {}, ADAPTIVE, {}, false],
  [
    'nulls within are nothing said',
    { enabled: null, effort: null, max_tokens: null },
    QWEN,
    {},
    false,
  ],
  [
    'a family that is off by default is told so',
    undefined,
    DEEPSEEK_V4,
    template({ thinking: false }),
    false,
  ],
  ['a model that does not reason is told nothing', { enabled: true }, null, {}, false],

  ['enabled false turns it off', OFF, QWEN, template({ enable_thinking: false }), true],
  ['effort none turns it off', { effort: 'none' }, ADAPTIVE, template({ thinking: false }), true],
  [
    'effort none wins over enabled',
    { enabled: true, effort: 'none' },
    QWEN,
    template({ enable_thinking: false }),
    true,
  ],
  [
    'off wins over a budget',
    { enabled: false, max_tokens: 9 },
    QWEN,
    template({ enable_thinking: false }),
    true,
  ],
  ['what cannot be turned off is stripped', OFF, KIMI_THINKING, {}, true],
  [
    'what cannot be turned off thinks as little as it can',
    OFF,
    GPT_OSS,
    { reasoning_effort: 'low' },
    true,
  ],

  ['enabled true turns it on', { enabled: true }, DEEPSEEK_V4, template({ thinking: true }), false],
  ['enabled true without a switch says nothing', { enabled: true }, KIMI_THINKING, {}, false],
  ['an effort turns it on', { effort: 'low' }, QWEN, template({ enable_thinking: true }), false],
  [
    'an effort is a field of the request',
    { effort: 'medium' },
    GPT_OSS,
    { reasoning_effort: 'medium' },
    false,
  ],
  ['the nearest effort above', { effort: 'minimal' }, GPT_OSS, { reasoning_effort: 'low' }, false],
  ['the nearest effort below', { effort: 'max' }, GPT_OSS, { reasoning_effort: 'high' }, false],
  [
    'an effort beside a switch',
    { effort: 'low' },
    DEEPSEEK_V4,
    { ...template({ thinking: true }), reasoning_effort: 'high' },
    false,
  ],
  [
    'of two efforts as near, the weaker',
    { effort: 'xhigh' },
    DEEPSEEK_V4,
    { ...template({ thinking: true }), reasoning_effort: 'high' },
    false,
  ],
  [
    'an effort as a key of the template',
    { effort: 'max' },
    KIMI_K3,
    template({ thinking: true, thinking_effort: 'max' }),
    false,
  ],
  [
    'a budget where there are budgets',
    { max_tokens: 2_000 },
    QWEN,
    { ...template({ enable_thinking: true }), thinking_token_budget: 2_000 },
    false,
  ],
  [
    'a budget is the nearest effort elsewhere',
    { max_tokens: 2_000 },
    KIMI_K3,
    template({ thinking: true, thinking_effort: 'low' }),
    false,
  ],
  [
    'a large budget is a great effort',
    { max_tokens: 60_000 },
    GPT_OSS,
    { reasoning_effort: 'high' },
    false,
  ],
  [
    'text that is excluded is withheld, and nothing else changes',
    { exclude: true },
    QWEN,
    {},
    true,
  ],
  [
    'and an effort is sent as ever',
    { effort: 'high', exclude: true },
    GPT_OSS,
    { reasoning_effort: 'high' },
    true,
  ],
  [
    'an effort is worth more than a guess from a budget',
    { effort: 'low', max_tokens: 90_000 },
    GPT_OSS,
    { reasoning_effort: 'low' },
    false,
  ],
];

test.each(CASES)('%s', (_name, reasoning, profile, fields, strip) => {
  expect(planThinking(reasoning, profile, vllm.thinking)).toEqual({ fields, strip });
});
