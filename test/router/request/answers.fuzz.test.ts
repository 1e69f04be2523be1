/**
 * Whatever bytes a host sends in whatever records, its client receives either an answer that is
 * cut, or a well-formed one: its text is that of the deltas, its usage is what was charged, and it
 * has one finish and one end.
 */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { packCall, packIndex } from '../../../shared/wire/deltas.ts';
import { escaped } from '../../../shared/wire/escaped.ts';
import { type Kind, KIND } from '../../../shared/wire/frames.ts';
import type { Customer } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PROMPT = 20;

/** A delta, as a client sees it. */
type Said =
  | { kind: 'content' | 'reasoning'; text: string }
  | { kind: 'call'; id: string; name: string }
  | { kind: 'arguments'; index: number; text: string };

type Sent = Readonly<{ kind: number; bytes: Buffer }>;

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '"', '\\', '\n', '\n\n', 'data: [DONE]', '\0', '水', '\u{1f30a}', '}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 30,
});

/**
 * Deltas of an honest agent: calls are numbered in order, and arguments belong to a call that has
 * begun.
 */
const said = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('content' as const, 'reasoning' as const), text }),
      fc.record({ kind: fc.constant('call' as const), id: text, name: text }),
      fc.record({ kind: fc.constant('arguments' as const), index: fc.nat(3), text }),
    ),
    { maxLength: 12 },
  )
  .map((all): Said[] => {
    let calls = 0;
    return all.filter((one) => {
      if (one.kind === 'call') calls += 1;
      return one.kind !== 'arguments' || one.index < calls;
    });
  });

/**
 * Bytes that no honest agent sends, and kinds that do not exist. Some are valid all the same, and
 * then count as such.
 */
const wild = fc.record({
  kind: fc.constantFrom(...Object.values(KIND).filter((kind) => kind !== KIND.end), 0, 8, 255),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    text.map((raw) => Buffer.from(raw)),
    text.map((raw) => Buffer.from(escaped(raw))),
    fc
      .constantFrom('"}}]}\n\ndata: [DONE]\n\n', '\\ud83d', '\\', '\\u12', '","usage":{}')
      .map((raw) => Buffer.from(raw)),
  ),
});

function recordsOf(all: readonly Said[]): Sent[] {
  let calls = 0;
  return all.map((one): Sent => {
    switch (one.kind) {
      case 'content':
      case 'reasoning':
        return { kind: KIND[one.kind], bytes: Buffer.from(escaped(one.text)) };
      case 'call': {
        const id = Buffer.from(escaped(one.id));
        const name = Buffer.from(escaped(one.name));
        const bytes = Buffer.concat([packCall(calls, id.length), id, name]);
        calls += 1;
        return { kind: KIND.call, bytes };
      }
      case 'arguments': {
        const bytes = Buffer.concat([packIndex(one.index), Buffer.from(escaped(one.text))]);
        return { kind: KIND.arguments, bytes };
      }
    }
  });
}

type Told = { content: string; reasoning: string; calls: object[] };

/** The answer that these records form, if they form one. */
function toldBy(records: readonly Sent[]): Told {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const told = { content: '', reasoning: '' };
  const plain = (bytes: Buffer) => JSON.parse(`"${bytes.toString('utf8')}"`) as string;
  for (const { kind, bytes } of records) {
    if (kind === KIND.content) told.content += plain(bytes);
    if (kind === KIND.reasoning) told.reasoning += plain(bytes);
    if (kind === KIND.call) {
      const end = 4 + bytes.readUInt16LE(2);
      const [id, name] = [plain(bytes.subarray(4, end)), plain(bytes.subarray(end))];
      calls.push({ id, name, arguments: '' });
    }
    const call = kind === KIND.arguments ? calls[bytes.readUInt16LE()] : undefined;
    if (call) call.arguments += plain(bytes.subarray(2));
  }
  return { ...told, calls };
}

type ToolCall = { index?: number; id?: string; function: { name?: string; arguments: string } };
type Part = { content?: string | null; reasoning?: string; tool_calls?: ToolCall[] };
type Answer = { told: Told; finishes: string[]; usage: { completion_tokens: number } };

/** Parses a stream. Throws if any part of it is not well-formed. */
function readEvents(raw: string): Answer {
  const events = raw.split('\n\n');
  expect(events.pop()).toBe('');
  expect(events.pop()).toBe('data: [DONE]');
  const calls: Required<ToolCall['function'] & { id: string }>[] = [];
  const told = { content: '', reasoning: '' };
  const finishes: string[] = [];
  const usages: Answer['usage'][] = [];
  for (const [nth, event] of events.entries()) {
    expect(event).toMatch(/^data: \{[^\n]*\}$/);
    type Chunk = {
      choices: { delta: Part & { role?: string }; finish_reason: string | null }[];
      usage?: Answer['usage'];
    };
    const { choices, usage } = JSON.parse(event.slice('data: '.length)) as Chunk;
    if (usage) usages.push(usage);
    for (const { delta, finish_reason: finish } of choices) {
      expect(delta.role === 'assistant').toBe(nth === 0);
      told.content += delta.content ?? '';
      told.reasoning += delta.reasoning ?? '';
      for (const { index = -1, id, function: called } of delta.tool_calls ?? []) {
        if (id !== undefined) calls[index] = { id, name: called.name ?? '', arguments: '' };
        const call = calls[index];
        if (call) call.arguments += called.arguments;
      }
      if (finish !== null) finishes.push(finish);
    }
  }
  expect(usages).toHaveLength(1);
  return { told: { ...told, calls }, finishes, usage: usages[0] as Answer['usage'] };
}

function readWhole(raw: string): Answer {
  type Body = { choices: { message: Part; finish_reason: string }[]; usage: Answer['usage'] };
  const { choices, usage } = JSON.parse(raw) as Body;
  const { content, reasoning, tool_calls: calls } = choices[0]?.message ?? {};
  return {
    told: {
      content: content ?? '',
      reasoning: reasoning ?? '',
      calls: (calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
    },
    finishes: choices.map(({ finish_reason: finish }) => finish),
    usage,
  };
}

let customer: Customer;
beforeAll(async () => {
  customer = await rig.customer(10n ** 14n);
});

/** Returns the client's answer, or null if the client received nothing or only a part. */
async function serve(records: readonly Sent[], streamed: boolean): Promise<Answer | null> {
  const fields = streamed ? {} : { stream: false, stream_options: undefined };
  const { stream, response } = await rig.beginRaw(customer, fields);
  for (const [nth, { kind, bytes }] of records.entries()) {
    stream.bytes(PROMPT, nth + 1, bytes, kind as Kind);
  }
  const finish = records.some(({ kind }) => kind === KIND.call) ? 'tool_calls' : 'stop';
  stream.finish(PROMPT, records.length + 1, { finish });
  // An answer that is cut at once has no head at all.
  const answer = await response.catch(() => null);
  const raw = await answer?.text().catch(() => null);
  if ([...rig.fleet.workers].length === 0) rig.rejoin();
  if (answer?.status !== 200 || typeof raw !== 'string') return null;
  return streamed ? readEvents(raw) : readWhole(raw);
}

async function check(records: readonly Sent[], streamed: boolean): Promise<boolean> {
  const answer = await serve(records, streamed);
  const [row] = await rig.rows(customer.organization);
  if (answer === null) {
    expect(row).toMatchObject({ outcome: 'voided', cost: 0n });
    return false;
  }
  expect(answer.told).toEqual(toldBy(records));
  expect(answer.finishes).toHaveLength(1);
  expect(answer.usage.completion_tokens).toBe(row?.completionTokens);
  expect(row).toMatchObject({ outcome: 'settled', completionTokens: records.length + 1 });
  return true;
}

test('what an honest agent sends arrives, whatever text it is', async () => {
  const property = fc.asyncProperty(said, fc.boolean(), async (all, streamed) => {
    expect(await check(recordsOf(all), streamed)).toBe(true);
  });
  await fc.assert(property, { numRuns: 60 });
});

test('what any agent sends arrives as what it is, or ends its answer', async () => {
  const property = fc.asyncProperty(
    said,
    fc.array(wild, { minLength: 1, maxLength: 2 }),
    fc.nat(12),
    fc.boolean(),
    async (all, more, at, streamed) => {
      const records = recordsOf(all);
      await check(records.toSpliced(at, 0, ...more), streamed);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});
