import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EngineChunk, parseChunk } from '../../agent/engine/chunk.ts';
import { ChunkReader, EventForms, FORM_ATTEMPTS_MAX } from '../../agent/engine/chunk-reader.ts';
import { EventForm } from '../../agent/engine/event-form.ts';
import { startRig, THINKS_BY_DEFAULT } from './simulator/rig.ts';

const PARENTS = [
  'choices.0',
  'choices.0.delta',
  'usage',
  'usage.prompt_tokens_details',
  'usage.completion_tokens_details',
  'timings',
];
const FIELDS = [
  'object',
  'error',
  'message',
  'code',
  ...['content', 'reasoning', 'reasoning_content', 'tool_calls'].map(
    (of) => `choices.0.delta.${of}`,
  ),
  ...['text', 'logprobs', 'finish_reason', 'stop_reason', 'matched_stop'].map(
    (of) => `choices.0.${of}`,
  ),
  ...['prompt_tokens', 'completion_tokens', 'reasoning_tokens'].map((of) => `usage.${of}`),
  'usage.prompt_tokens_details.cached_tokens',
  'usage.completion_tokens_details.reasoning_tokens',
  ...['cache_n', 'prompt_n', 'predicted_n'].map((of) => `timings.${of}`),
].map((path) => path.split('.'));
const PARENT_PATHS = PARENTS.map((path) => path.split('.'));

function valueAt(chunk: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, name) => (value as Record<string, unknown>)?.[name], chunk);
}

/** Everything that the agent reads of a chunk. */
function fieldsOf(chunk: EngineChunk | null): unknown[] | null {
  if (chunk === null) return null;
  const values = FIELDS.map((path) => valueAt(chunk, path));
  const parents = PARENT_PATHS.map((path) => {
    const parent = valueAt(chunk, path);
    return typeof parent === 'object' && parent !== null ? 'an object' : parent;
  });
  return [...values, ...parents];
}

function expectSame(read: EngineChunk | null, event: string): void {
  const [own, right] = [fieldsOf(read), fieldsOf(parseChunk(event))];
  if (!isDeepStrictEqual(own, right)) expect(own, event).toEqual(right);
}

const HEAD =
  '"id":"chatcmpl-4f","object":"chat.completion.chunk","created":1795434840,"model":"Qwen/Q"';
const USAGE = '"usage":{"prompt_tokens":12,"total_tokens":14,"completion_tokens":2}';

/** Events with text as other engines and other versions write them. */
const WRITTEN: Record<string, string> = {
  'vLLM without counts': `{${HEAD},"choices":[{"index":0,"delta":{"content":" when"},"logprobs":null,"finish_reason":null}]}`,
  'vLLM with counts': `{${HEAD},"choices":[{"index":0,"delta":{"content":" when"},"logprobs":null,"finish_reason":null,"token_ids":null}],${USAGE}}`,
  'vLLM before `reasoning`': `{${HEAD},"choices":[{"index":0,"delta":{"reasoning_content":"Let"},"logprobs":null,"finish_reason":null}],${USAGE}}`,
  Ollama: `{${HEAD},"system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Let"},"finish_reason":null}]}`,
  'a writer with blanks': `{"id": "c", "choices": [ {"index": 0, "delta": {"content": "a"}, "finish_reason": null} ],\t"usage" : {"prompt_tokens": 7, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 0}}}`,
  'llama.cpp': `{"choices":[{"finish_reason":null,"index":0,"delta":{"content":" tok"}}],"created":1795434840,"id":"x","model":"m","object":"chat.completion.chunk","timings":{"cache_n":0,"prompt_n":12,"prompt_ms":83.521,"predicted_n":3,"predicted_ms":1.5e-3,"predicted_per_second":-0.5}}`,
};

const DIALECTS = ['vllm', 'sglang', 'llamacpp'] as const;
/** The events of answers of all kinds, of each dialect of the simulator. */
const SIMULATED: Record<string, string[][]> = {};

beforeAll(async () => {
  const counted = {
    stream_options: { include_usage: true, continuous_usage_stats: true },
    timings_per_token: true,
    max_tokens: 60,
  };
  const tool = { name: 'weather', parameters: { type: 'object', properties: {} } };
  for (const dialect of DIALECTS) {
    await using rig = await startRig({
      dialect,
      enableCacheReport: true,
      promptTokensDetails: true,
    });
    const answers = await Promise.all([
      rig.stream('How far is the moon?', counted),
      rig.stream('How far is the moon?', { max_tokens: 60 }),
      rig.stream('How far is it?', { ...counted, model: THINKS_BY_DEFAULT, max_tokens: 300 }),
      rig.stream('Call it.', { tools: [{ type: 'function', function: tool }], ...counted }),
      rig.stream('How far is the sun?', { ...counted, logprobs: true, top_logprobs: 2 }),
      rig.send('/v1/completions', {
        model: THINKS_BY_DEFAULT,
        prompt: 'One',
        stream: true,
        ...counted,
      }),
    ]);
    SIMULATED[dialect] = answers.map(({ events }) => events.filter((data) => data !== '[DONE]'));
  }
});

function hasOnlyText(event: string): boolean {
  const choice = parseChunk(event)?.choices?.[0];
  const { content, reasoning, reasoning_content: older, tool_calls: calls } = choice?.delta ?? {};
  const isLast = typeof choice?.finish_reason === 'string';
  return (
    Boolean(content || reasoning || older || choice?.text) && !isLast && !calls && !choice?.logprobs
  );
}

describe.each(DIALECTS)('the events of %s', (dialect) => {
  test('are read as JSON.parse reads them', () => {
    const forms = new EventForms();
    for (const events of SIMULATED[dialect] ?? []) {
      expect(events.length).toBeGreaterThan(5);
      const reader = new ChunkReader(forms);
      for (const event of events) expectSame(reader.read(event), event);
    }
  });

  test('have few forms, which answers share', () => {
    const forms = new EventForms();
    const events = SIMULATED[dialect]?.flat().filter(hasOnlyText) ?? [];
    expect(events.length).toBeGreaterThan(300);
    const found = new Set(events.map((event) => forms.of(event)));
    expect(found).not.toContain(null);
    expect(found.size).toBeLessThanOrEqual(6);
  });
});

/** Each is between blanks. */
const words = (text: string) => fc.constantFrom(...text.trim().split(/[ \n]+/));

/** Values that may stand where another one stood, valid and invalid ones. */
const value = fc.oneof(
  words('1e3 -0 0 01 1. .5 - +1 1E+2 1.5 4294967296 9007199254740993 1e999 -1e-999 NaN'),
  words('123456789012345678901234567890 null true {} [] 1,2 {"content":"c"} "a","content":"b"'),
  words(String.raw`"" "stop" "error" "a\nb" "\u0041\"\\" "\x" "\u12" "\ud83d" "\" "水🌊"`),
  fc.constantFrom('"\ud83d"', '"\ude00\ud83d"', '"a\nb"', '"\u0000"', '"\u001f"', '"\u007f\u2028"'),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => `"${text}"`),
  fc.double().map(String),
  fc.nat().map(String),
);
const member = words(String.raw`
  "content":"x" "c\u006fntent":"e" "reasoning":"r" "text":"t" "delta":{"content":"y"} "delta":"z"
  "usage":{"prompt_tokens":1} "usage":null "prompt_tokens":5 "timings":{"cache_n":3} "":"" "0":0
  "choices":[] "choices":"abc" "error":"e" "object":"error" "finish_reason":"stop" "tool_calls":[{}]
  "logprobs":{"content":[]} "__proto__":{"content":"p","usage":{"prompt_tokens":9}} "__proto__":1
  "constructor":"c"`);
const scrap = fc.oneof(
  words(String.raw`" \ { } [ ] , : e . - 0 9 null \" \u "" {} ,, "a":`),
  fc.constantFrom(' ', '\n', '\v', '\u0000', '\u00a0', '\ufeff'),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
/** One change of an event. `at` chooses the place. */
const change = fc.record({
  kind: fc.constantFrom('value', 'value', 'name', 'member', 'scrap', 'cut', 'copy'),
  at: fc.nat(),
  value,
  member,
  scrap,
  length: fc.nat(12),
});
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never;

const TOKENS = /"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*"|[\w.+-]+/g;

function changed(event: string, { kind, at, ...made }: Change): string {
  const splice = (begin: number, end: number, text: string) =>
    event.slice(0, begin) + text + event.slice(end);
  const place = at % (event.length + 1);
  if (kind === 'scrap') return splice(place, place + (at % 2), made.scrap);
  if (kind === 'cut') return splice(place, place + made.length, '');
  if (kind === 'copy') return splice(place, place, event.slice(at % 7, (at % 7) + made.length * 9));
  if (kind === 'member') {
    const opened = [...event.matchAll(/\{|(?=\})/g)];
    const { index = 0, 0: brace = '' } = opened[at % opened.length] ?? {};
    return brace === ''
      ? splice(index, index, `,${made.member}`)
      : splice(index, index + 1, `{${made.member},`);
  }
  const isName = kind === 'name';
  const tokens = [...event.matchAll(TOKENS)].filter(([token]) => token.endsWith(':') === isName);
  const { index = 0, 0: token = '' } = tokens[at % tokens.length] ?? {};
  return splice(index, index + token.length, isName ? `${made.member.split(':')[0]}:` : made.value);
}

const changes = fc.array(change, { minLength: 1, maxLength: 3 });
const withChanges = (event: string, made: readonly Change[]) => made.reduce(changed, event);

function everyForm(): string[] {
  const simulated = Object.values(SIMULATED).flat();
  return [
    ...Object.values(WRITTEN),
    ...simulated.flatMap((events) => events.find(hasOnlyText) ?? []),
  ];
}

test('whatever follows the events of an engine is read as JSON.parse reads it', () => {
  const forms = new EventForms();
  const known = everyForm().map((event) => ({ event, form: forms.of(event) }));
  const seen = { byForm: 0, parsed: 0, refused: 0 };
  fc.assert(
    fc.property(fc.nat(), changes, (nth, made) => {
      const { event, form } = known[nth % known.length] ?? { event: '{}', form: null };
      const attack = withChanges(event, made);
      const reader = new ChunkReader(forms);
      for (const each of [event, attack, event]) expectSame(reader.read(each), each);
      if (form?.read(attack)) seen.byForm += 1;
      else if (parseChunk(attack)) seen.parsed += 1;
      else seen.refused += 1;
    }),
    { numRuns: 15_000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500);
});

test('from whatever event a form is learned, it reads others as JSON.parse does', () => {
  const events = everyForm();
  let learned = 0;
  fc.assert(
    fc.property(fc.nat(), changes, fc.array(changes, { maxLength: 4 }), (nth, made, attacks) => {
      const event = events[nth % events.length] ?? '{}';
      const first = withChanges(event, made);
      const reader = new ChunkReader(new EventForms());
      expectSame(reader.read(first), first);
      for (const each of [...attacks.map((more) => withChanges(first, more)), first, event]) {
        expectSame(reader.read(each), each);
      }
      if (parseChunk(first) && hasOnlyText(first)) learned += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(learned).toBeGreaterThan(50);
});

const EVENT = WRITTEN['vLLM with counts'] ?? '';

test.each([
  ['another text', '" when"', '"水 \u{1f30a}"', true],
  ['a text with escapes', '" when"', String.raw`"\n\t\"\\\/\u00e9\ud83c\udf0a"`, true],
  ['half of a character', '" when"', '"\ud83c"', true],
  ['an escaped half of a character', '" when"', String.raw`"\ud83c"`, true],
  ['an empty text', '" when"', '""', true],
  ['another id', 'chatcmpl-4f', 'chatcmpl-50', true],
  ['an exponent', '"completion_tokens":2', '"completion_tokens":2e1', true],
  ['a negative zero', '"completion_tokens":2', '"completion_tokens":-0', true],
  ['an error', '"chat.completion.chunk"', '"error"', true],
  ['a line feed in the text', '" when"', '"a\nb"', false],
  ['a line feed in the id', 'chatcmpl-4f', 'a\nb', false],
  ['an escape that does not exist', '" when"', String.raw`"\x41"`, false],
  ['an escape that does not exist in the id', 'chatcmpl-4f', String.raw`\x41`, false],
  ['a zero before a number', '"completion_tokens":2', '"completion_tokens":02', false],
  ['a number that is cut', '"completion_tokens":2', '"completion_tokens":2.', false],
  ['null for text', '" when"', 'null', false],
  ['a second text', '" when"', '" when","content":"b"', false],
  ['an end that is cut', '}}', '}', false],
  ['something after the end', '}}', '}} ', false],
])('%s is read, by the form only if it fits', (_what, from, to, fits) => {
  const form = EventForm.of(EVENT);
  const event = EVENT.replace(from, () => to);
  expect(event).not.toBe(EVENT);
  const read = form?.read(event) ?? null;
  expect(read !== null).toBe(fits);
  if (fits) expectSame(read, event);
});

test('a member that occurs twice has its last value, as in JSON.parse', () => {
  const twice = EVENT.replace('" when"', '"a","content":"b"').replace(
    '12',
    '12,"prompt_tokens":13',
  );
  const form = EventForm.of(twice);
  const other = twice.replace('"a"', '"c"').replace('"b"', '"d"').replace('13', '15');
  const read = form?.read(other) ?? null;
  expect(read?.choices?.[0]?.delta?.content).toBe('d');
  expect(read?.usage?.prompt_tokens).toBe(15);
  expectSame(read, other);
});

test('a chunk that is kept does not change when the next events are read', () => {
  const reader = new ChunkReader(new EventForms());
  const events = ['a', 'b', 'c'].map((text) => EVENT.replace(' when', text));
  const chunks = events.map((event) => reader.read(event));
  for (const [at, event] of events.entries()) expectSame(chunks[at] ?? null, event);
});

test('an engine that writes each event in another form teaches a bounded number of them', () => {
  const forms = new EventForms();
  const events = Array.from({ length: 4 * FORM_ATTEMPTS_MAX }, (_, at) =>
    EVENT.replace('"index"', `"${at}"`),
  );
  const found = events.map((event) => forms.of(event));
  expect(found.filter((form) => form !== null)).toHaveLength(FORM_ATTEMPTS_MAX);
  expect(found.slice(FORM_ATTEMPTS_MAX)).not.toContainEqual(expect.any(EventForm));
  const reader = new ChunkReader(forms);
  for (const event of [...events, ...events]) expectSame(reader.read(event), event);
});

test('events that are long or have many values have no form', () => {
  const many = EVENT.replace('"index":0', `"index":[${'0,'.repeat(40)}0]`);
  expect(EventForm.of(many)).toBeNull();
  const reader = new ChunkReader(new EventForms());
  const long = EVENT.replace(' when', String.raw`\n`.repeat(100_000));
  for (const event of [EVENT, many, long, EVENT]) expectSame(reader.read(event), event);
});
