import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseChunk } from '../../agent/engine/chunk.ts';
import { ChunkReader, EventForms, FORM_ATTEMPTS_MAX } from '../../agent/engine/chunk-reader.ts';
import { EventForm } from '../../agent/engine/event-form.ts';
import { expectSame, isByForm, USAGE, WRITTEN } from './support/engine-events.ts';
import { startRig, THINKS_BY_DEFAULT } from './simulator/rig.ts';

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

/** Whether an event has neither tool calls nor log probabilities. */
function isOrdinary(event: string): boolean {
  const choice = parseChunk(event)?.choices?.[0];
  return !choice?.logprobs && !choice?.delta?.tool_calls;
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
    const answers = (SIMULATED[dialect] ?? []).map((events) => events.filter(isOrdinary));
    expect(answers.flat().length).toBeGreaterThan(300);
    const found = new Set(answers.flat().map((event) => forms.of(event)));
    expect(found).not.toContain(null);
    expect(found.size).toBeLessThanOrEqual(14);
    const readAll = () =>
      answers.flatMap((events) => {
        const reader = new ChunkReader(forms);
        return events.map((event) => reader.read(event));
      });
    readAll();
    expect(readAll().every(isByForm)).toBe(true);
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

/** Events of all kinds, by their engine: the first two and the last three of each answer. */
function kindsOfEngines(): string[][] {
  const written = Object.values(WRITTEN);
  const simulated = Object.values(SIMULATED).map((answers) =>
    answers.flatMap((events) => [...events.slice(0, 2), ...events.slice(-3)]),
  );
  return [written.slice(0, 10), written.slice(10), ...simulated];
}

test('whatever follows the events of an engine is read as JSON.parse reads it', () => {
  const engines = kindsOfEngines().map((events) => {
    const forms = new EventForms();
    for (const event of events) new ChunkReader(forms).read(event);
    return { events, forms };
  });
  const seen = { byForm: 0, parsed: 0, refused: 0 };
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), changes, (engine, nth, other, made) => {
      const { events = [], forms = new EventForms() } = engines[engine % engines.length] ?? {};
      const event = events[nth % events.length] ?? '{}';
      const attack = withChanges(event, made);
      const reader = new ChunkReader(forms);
      const before = events[other % events.length] ?? '{}';
      for (const each of [before, event]) expectSame(reader.read(each), each);
      const read = reader.read(attack);
      expectSame(read, attack);
      for (const each of [event, before]) expectSame(reader.read(each), each);
      if (isByForm(read)) seen.byForm += 1;
      else if (read) seen.parsed += 1;
      else seen.refused += 1;
    }),
    { numRuns: 15_000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500);
});

test('from whatever event a form is learned, it reads others as JSON.parse does', () => {
  const events = kindsOfEngines().flat();
  let learned = 0;
  fc.assert(
    fc.property(fc.nat(), changes, fc.array(changes, { maxLength: 4 }), (nth, made, attacks) => {
      const event = events[nth % events.length] ?? '{}';
      const first = withChanges(event, made);
      const reader = new ChunkReader(new EventForms());
      expectSame(reader.read(first), first);
      if (isByForm(reader.read(first))) learned += 1;
      for (const each of [...attacks.map((more) => withChanges(first, more)), first, event]) {
        expectSame(reader.read(each), each);
      }
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

test('after an event that could not teach its form, an answer is parsed', () => {
  const forms = new EventForms();
  const events = Array.from({ length: FORM_ATTEMPTS_MAX + 1 }, (_, at) =>
    EVENT.replace('"index"', `"${at}"`),
  );
  for (const event of events) new ChunkReader(forms).read(event);
  const [first = '', last = ''] = [events[0], events.at(-1)];
  const isReadByForm = (...answer: string[]) => {
    const reader = new ChunkReader(forms);
    return answer.map((event) => isByForm(reader.read(event)));
  };
  expect(isReadByForm(first, first)).toEqual([false, true]);
  expect(isReadByForm(first, last, first)).toEqual([true, false, false]);
});

test.each([
  ['a tool call', '"content":" when"', '"tool_calls":[{"index":0}]'],
  ['log probabilities', '"logprobs":null', '"logprobs":{"content":[]}'],
])('after %s the events of an answer are parsed', (_what, from, to) => {
  const forms = new EventForms();
  const reader = new ChunkReader(forms);
  const events = [EVENT, EVENT, EVENT.replace(from, to), EVENT];
  const read = events.map((event) => reader.read(event));
  for (const [at, event] of events.entries()) expectSame(read[at] ?? null, event);
  expect(read.map(isByForm)).toEqual([false, true, false, false]);
  expect(isByForm(new ChunkReader(forms).read(EVENT))).toBe(true);
});

test('the form that most recently followed another one is tried first after it', () => {
  const forms = new EventForms();
  const short = WRITTEN['counts alone'] ?? '';
  const long = WRITTEN['counts with details'] ?? '';
  const latestAfter = (last: EventForm | null) => forms.after(last)[0] ?? null;
  for (const last of [short, long, short, long]) {
    const reader = new ChunkReader(forms);
    for (const event of [EVENT, EVENT, last]) reader.read(event);
    expect(latestAfter(null)).toBe(forms.of(EVENT));
    expect(latestAfter(forms.of(EVENT))).toBe(forms.of(last));
  }
});

test('events with tool calls, log probabilities or errors make no forms', () => {
  const forms = new EventForms();
  const call = EVENT.replace('"content":" when"', '"tool_calls":[{"index":0}]');
  const logprobs = EVENT.replace('"logprobs":null', '"logprobs":{"content":[]}');
  const error = WRITTEN['an error without its object'] ?? '';
  for (const event of [call, logprobs, error, '{}', '[1]']) {
    const reader = new ChunkReader(forms);
    for (const each of [event, event]) expectSame(reader.read(each), each);
  }
  expect(forms.after(null)).toEqual([]);
});

test.each([
  ['a null for the reason of the end', '"finish_reason":null', '"finish_reason":"stop"'],
  ['a null for the counts', USAGE, '"usage":null'],
  ['a list without choices', /"choices":\[.*?\}\]/, '"choices":[]'],
  ['a text for the choices', /"choices":\[.*?\}\]/, '"choices":"abc"'],
  ['a text for the choice', /"choices":\[.*?\}\]/, '"choices":["abc"]'],
])('%s does not fit the same form, in either direction', (_what, from, to) => {
  const other = EVENT.replace(from, to);
  expect(other).not.toBe(EVENT);
  const reader = new ChunkReader(new EventForms());
  for (const event of [EVENT, other, EVENT, other]) expectSame(reader.read(event), event);
  expect(EventForm.of(EVENT)?.read(other) ?? null).toBeNull();
  expect(EventForm.of(other)?.read(EVENT) ?? null).toBeNull();
});

test('choices of any shape are read as JSON.parse reads them', () => {
  const reader = new ChunkReader(new EventForms());
  const events = ['""', '"abc"', '7', 'false', '{"0":{"text":"t"}}', '[null]', '[{},7]'].map(
    (choices) => `{"choices":${choices},${USAGE}}`,
  );
  for (const event of [...events, ...events]) expectSame(reader.read(event), event);
});

test('events that are long or have many values have no form', () => {
  const many = EVENT.replace('"index":0', `"index":[${'0,'.repeat(40)}0]`);
  expect(EventForm.of(many)).toBeNull();
  const reader = new ChunkReader(new EventForms());
  const long = EVENT.replace(' when', String.raw`\n`.repeat(100_000));
  for (const event of [EVENT, many, long, EVENT]) expectSame(reader.read(event), event);
});
