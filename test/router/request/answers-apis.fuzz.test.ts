/**
 * The same answer in every API: whatever text a model writes in whatever order, the streams of the
 * Responses and Messages APIs say what the deltas said, and every API is charged the same.
 */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ask, eventsOf, type NamedApi } from './events.ts';
import type { Customer } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PROMPT = 20;

type Said = Readonly<{ kind: 'content' | 'reasoning' | 'call'; text: string }>;

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '"', '\\', '\n', '\n\n', 'data: x', '\0', '水', '\u{1f30a}', '}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 30,
});
const said: fc.Arbitrary<Said[]> = fc.array(
  fc.record({ kind: fc.constantFrom('content', 'reasoning', 'call'), text }),
  { maxLength: 12 },
);

function give(stream: AgentStream, all: readonly Said[]): void {
  let calls = 0;
  for (const [nth, { kind, text: words }] of all.entries()) {
    const completion = nth + 1;
    if (kind === 'content') stream.content(PROMPT, completion, words);
    else if (kind === 'reasoning') stream.reasoning(PROMPT, completion, words);
    else {
      stream.call(PROMPT, completion, calls, `call_${calls}`, 'f');
      stream.arguments(PROMPT, completion, calls, words);
      calls += 1;
    }
  }
  const finish = calls > 0 ? 'tool_calls' : 'stop';
  stream.finish(PROMPT, all.length + 1, { finish });
}

/** Neighbours of one kind become one, except calls. */
function blocksOf(all: readonly Said[]): Said[] {
  const blocks: Said[] = [];
  for (const one of all) {
    const last = blocks.at(-1);
    if (last && last.kind === one.kind && one.kind !== 'call') {
      blocks[blocks.length - 1] = { ...last, text: last.text + one.text };
    } else blocks.push(one);
  }
  return blocks.length > 0 ? blocks : [{ kind: 'content', text: '' }];
}

type Item = { type: string; content?: { text: string }[]; arguments?: string };

/** What the end of a stream of responses says. */
function readResponse(raw: string): Said[] {
  const last = eventsOf(raw).at(-1) as unknown as { type: string; response: { output: Item[] } };
  expect(last.type).toBe('response.completed');
  return last.response.output.map((item) => {
    if (item.type === 'function_call') return { kind: 'call', text: item.arguments ?? '' };
    const kind = item.type === 'message' ? 'content' : 'reasoning';
    return { kind, text: item.content?.[0]?.text ?? '' };
  });
}

const KINDS = { text: 'content', thinking: 'reasoning', tool_use: 'call' } as const;
type BlockEvent = {
  type: string;
  index: number;
  content_block: { type: keyof typeof KINDS };
  delta: { text?: string; thinking?: string; partial_json?: string };
};

/** What the blocks of a stream of messages say. */
function readMessage(raw: string): Said[] {
  const events = eventsOf(raw) as unknown as BlockEvent[];
  expect(events.at(-1)?.type).toBe('message_stop');
  const blocks: Said[] = [];
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { kind: KINDS[block.type], text: '' };
    const open = blocks[index];
    if (type !== 'content_block_delta' || !open) continue;
    expect(index).toBe(blocks.length - 1);
    const more = delta.text ?? delta.thinking ?? delta.partial_json ?? '';
    blocks[index] = { ...open, text: open.text + more };
  }
  return blocks;
}

const READERS = { responses: readResponse, messages: readMessage } as const;

let customer: Customer;
beforeAll(async () => {
  customer = await rig.customer(10n ** 14n);
});

test('what an agent sends arrives in the blocks that it forms, at the same charge', async () => {
  const property = fc.asyncProperty(said, async (all) => {
    for (const api of ['responses', 'messages'] as const satisfies NamedApi[]) {
      const response = ask(customer, api, { stream: true });
      give(await rig.agent.next(), all);
      expect(READERS[api](await (await response).text())).toEqual(blocksOf(all));
      const [row] = await rig.rows(customer.organization);
      const charged = {
        outcome: 'settled',
        promptTokens: PROMPT,
        completionTokens: all.length + 1,
      };
      expect(row).toMatchObject(charged);
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
