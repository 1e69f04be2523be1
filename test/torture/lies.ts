/** The lies of a dishonest agent. Each lie handles one request. */
import { packCall } from '../../shared/wire/deltas.ts';
import { KIND } from '../../shared/wire/frames.ts';
import type { Open } from '../../shared/wire/messages.ts';
import type { FakeAgent } from './fake-agent.ts';

/** The largest count that a record's header can carry. */
const MOST = 0xffff_ffff;
const PROMPT = 12;

/** Text that would end the JSON string, the event and the stream, if it were not escaped. */
const FORGED =
  `"}}]}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
  `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\ndata: [DONE]\n\n`;

type Lie = (agent: FakeAgent, open: Open) => void;

/** A short answer with honest counts, followed by false claims in its END record. */
function ending(prompt: number, completion: number, end: object | string = {}): Lie {
  return (agent, open) => {
    agent.content(open.stream, PROMPT, 3, 'one two three');
    agent.end(open.stream, prompt, completion, end);
  };
}

/** An END record whose JSON has a `cached` value that no serialized object can contain. */
function rawEnd(cached: string): string {
  return `{"outcome":"finished","finish":"stop","cut":false,"cached":${cached},"reasoning":null}`;
}

export const LIES: Readonly<Record<string, Lie>> = {
  'a prompt of four billion tokens': (agent, open) => {
    agent.content(open.stream, MOST, 3, 'hello');
    agent.end(open.stream, MOST, 3);
  },
  'a prompt as long as the context allows': (agent, open) => {
    agent.content(open.stream, 250_000, 3, 'hello');
    agent.end(open.stream, 250_000, 3);
  },
  'a prompt that grows at the end': ending(MOST, 3),
  'a prompt that grows on the way': (agent, open) => {
    agent.content(open.stream, PROMPT, 1, 'one');
    agent.content(open.stream, 1_000_000, 2, 'two');
    agent.end(open.stream, 1_000_000, 2);
  },
  'no prompt at all': (agent, open) => {
    agent.content(open.stream, 0, 3, 'hello');
    agent.end(open.stream, MOST, 3);
  },
  'four billion tokens of output at the end': ending(PROMPT, MOST),
  'four billion tokens of output on the way': (agent, open) => {
    agent.content(open.stream, PROMPT, MOST, 'hello');
    agent.end(open.stream, PROMPT, MOST);
  },
  'all the output that is granted, for one word': (agent, open) => {
    agent.content(open.stream, PROMPT, open.grant.tokens, 'hello');
    agent.end(open.stream, PROMPT, open.grant.tokens, { finish: 'length' });
  },
  'output that nobody saw': (agent, open) => {
    agent.end(open.stream, PROMPT, open.grant.tokens);
  },
  'counts that go back': (agent, open) => {
    agent.content(open.stream, PROMPT, 10, 'ten');
    agent.content(open.stream, PROMPT, 5, 'five');
    agent.end(open.stream, PROMPT, 1);
  },
  'a negative cache': ending(PROMPT, 3, { cached: -1_000_000_000 }),
  'a cache larger than its prompt': ending(PROMPT, 3, { cached: 1e15 }),
  'a cache of fractions': ending(PROMPT, 3, { cached: 0.5 }),
  'a cache beyond every whole number': ending(PROMPT, 3, { cached: 1e308 }),
  'a cache that is not a number': ending(PROMPT, 3, rawEnd('NaN')),
  'a cache without end': ending(PROMPT, 3, rawEnd('1e999')),
  'a cache that is below all': ending(PROMPT, 3, rawEnd('-1e999')),
  'a cache that is text': ending(PROMPT, 3, rawEnd('"12"')),
  'a cache that was cut off': ending(PROMPT, 3, { cached: null, cut: true }),
  'negative thoughts': ending(PROMPT, 3, { reasoning: -5 }),
  'more thoughts than output': ending(PROMPT, 3, { reasoning: 1e12 }),
  'fractions of thoughts': ending(PROMPT, 3, { reasoning: 1.5 }),
  'an end that is no JSON': ending(PROMPT, 3, '{"outcome":"fini'),
  'an end of an unknown kind': ending(PROMPT, 3, '{"outcome":"paid"}'),
  'usage replayed': (agent, open) => {
    ending(PROMPT, 3)(agent, open);
    for (let again = 0; again < 5; again++) agent.end(open.stream, PROMPT, open.grant.tokens);
  },
  'content after the end': (agent, open) => {
    ending(PROMPT, 3)(agent, open);
    agent.content(open.stream, PROMPT, open.grant.tokens, 'more');
    agent.end(open.stream, PROMPT, open.grant.tokens);
  },
  'the end of every stream but its own': (agent, open) => {
    for (let stream = 1; stream < open.stream + 50; stream++) {
      if (stream !== open.stream) agent.end(stream, MOST, MOST);
    }
    ending(PROMPT, 3)(agent, open);
  },
  'a refusal after content': (agent, open) => {
    agent.content(open.stream, PROMPT, 5, 'hello');
    agent.send({ type: 'refused', stream: open.stream, reason: 'busy' });
    agent.end(open.stream, PROMPT, 20);
  },
  'a cancellation nobody asked for': ending(PROMPT, 20, '{"outcome":"cancelled","accepted":true}'),
  'more bytes than were granted': (agent, open) => {
    const text = 'x'.repeat(64 * 1024);
    for (let bytes = 0; bytes <= open.grant.bytes; bytes += text.length) {
      agent.content(open.stream, PROMPT, 3, text);
    }
    agent.end(open.stream, PROMPT, 3);
  },
  'records of a kind that agents do not send': (agent, open) => {
    agent.record(open.stream, KIND.body, PROMPT, 20, 'hello');
  },
  'a record that is cut short': (agent, open) => {
    agent.content(open.stream, PROMPT, 3, 'hello');
    agent.socket.send(Buffer.from([1, 0, 0, 0, 2, 9, 9]));
  },
  'body bytes that were never sent': (agent) => agent.send({ type: 'ack', bytes: 1e9 }),
  'a second greeting': (agent) => {
    agent.send({ type: 'proof', signature: 'x' });
  },
  'an engine with minus one place': (agent) => agent.report({ slots: -1 }),
  'its own ending, in the content': (agent, open) => {
    agent.content(open.stream, PROMPT, 3, 'hello');
    agent.record(open.stream, KIND.content, PROMPT, 4, FORGED);
    agent.end(open.stream, PROMPT, open.grant.tokens);
  },
  'its own ending, in its thoughts': (agent, open) => {
    agent.record(open.stream, KIND.reasoning, PROMPT, 4, FORGED);
    agent.end(open.stream, PROMPT, open.grant.tokens);
  },
  'its own ending, in a tool call': (agent, open) => {
    const call = packCall(0, 1).toString('latin1');
    agent.record(open.stream, KIND.call, PROMPT, 4, `${call}a${FORGED}`);
    agent.end(open.stream, PROMPT, open.grant.tokens, { finish: 'tool_calls' });
  },
  'a last delta, as it was before': ending(PROMPT, 20, { last: FORGED, fingerprint: FORGED }),
  'arguments of a call that was never made': (agent, open) => {
    agent.record(open.stream, KIND.arguments, PROMPT, 4, '\0\0{}');
    agent.end(open.stream, PROMPT, 4);
  },
  'a finish of tool calls without any': ending(PROMPT, 20, { finish: 'tool_calls' }),
  'half a character': (agent, open) => {
    agent.record(open.stream, KIND.content, PROMPT, 4, '\\ud83d');
    agent.end(open.stream, PROMPT, 4);
  },
  'a record of text without any': (agent, open) => {
    agent.content(open.stream, PROMPT, 3, '');
    agent.end(open.stream, PROMPT, 3);
  },
  'the same counts, again and again': (agent, open) => {
    for (let again = 0; again < 100_000; again++) {
      agent.record(open.stream, KIND.counts, PROMPT, 3, '');
    }
  },
  'a record for each byte': (agent, open) => {
    for (let bytes = 0; bytes <= open.grant.bytes; bytes++) {
      agent.content(open.stream, PROMPT, 3, 'x');
    }
  },
  silence: () => {},
};
