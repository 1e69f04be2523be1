/** Log probabilities of a host: what it may send, and what ends its session. */
import { expect, test } from 'vitest';
import { Incoming } from '../../../router/fleet/incoming.ts';
import { DELTA_OVERHEAD_BYTES } from '../../../shared/wire/deltas.ts';
import { FrameError, KIND } from '../../../shared/wire/frames.ts';
import {
  LOGPROBS_BYTES_MAX,
  packLogprobs,
  type TokenLogprob,
} from '../../../shared/wire/logprobs.ts';

const TOKEN: TokenLogprob = { logprob: -0.5, bytes: [97], top_logprobs: [] };
const OTHER = { logprob: -1, bytes: [98] };

function start(topLogprobs: number | null = 1) {
  const heard: unknown[][] = [];
  const grant = { tokens: 3, bytes: 256 * 1024, final: false };
  const asked = topLogprobs === null ? {} : { topLogprobs };
  const incoming = new Incoming(
    { endpoint: 'chat', streamed: true, grant, ...asked },
    {
      delta: (...args) => heard.push(args),
      counts() {},
      ended() {},
      refused() {},
      lost() {},
    },
  );
  return { incoming, heard, take: (bytes: Buffer) => incoming.take(KIND.logprobs, 7, 1, bytes) };
}

function record(text: string, json: unknown): Buffer {
  const members = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(members.length);
  return Buffer.concat([length, members, Buffer.from(text)]);
}

test('text comes with its tokens, which cost their bytes and are no text that may be billed', () => {
  const { heard, take } = start();
  const tokens = [{ ...TOKEN, top_logprobs: [OTHER] }];
  const [prefix] = packLogprobs(tokens) as [Buffer];
  take(Buffer.concat([prefix, Buffer.from('a')]));
  const delta = { kind: 'content', text: Buffer.from('a'), logprobs: tokens };
  expect(heard).toEqual([[7, 1, delta, DELTA_OVERHEAD_BYTES + prefix.length + 1, 1]]);
});

test('tokens may come after their text', () => {
  const { incoming, heard, take } = start();
  incoming.take(KIND.content, 7, 1, Buffer.from('a'));
  take(record('', [TOKEN]));
  expect(heard[1]?.[2]).toEqual({ kind: 'content', text: Buffer.alloc(0), logprobs: [TOKEN] });
});

const many = (count: number) => Array.from({ length: count }, () => TOKEN);

test.each<[what: string, record: Buffer]>([
  ['no length', Buffer.from('[]')],
  ['a length beyond the record', record('', [TOKEN]).subarray(0, 20)],
  ['no tokens', record('a', [])],
  ['no JSON', record('a', '[{')],
  ['deep JSON', record('a', '['.repeat(LOGPROBS_BYTES_MAX))],
  ['more JSON than a record may have', record('a', `[${' '.repeat(LOGPROBS_BYTES_MAX)}]`)],
  ['a probability above 1', record('a', [{ ...TOKEN, logprob: 0.1 }])],
  ['infinity', record('a', '[{"logprob":-1e999,"bytes":[97],"top_logprobs":[]}]')],
  ['NaN', record('a', '[{"logprob":NaN,"bytes":[97],"top_logprobs":[]}]')],
  ['nothing for a number', record('a', [{ ...TOKEN, logprob: null }])],
  ['what is no byte', record('a', [{ ...TOKEN, bytes: [256] }])],
  ['a long token', record('a'.repeat(300), [{ ...TOKEN, bytes: Array(257).fill(97) }])],
  ['a member of its own', record('a', [{ ...TOKEN, token: '"}]}' }])],
  ['an alternative above 1', record('a', [{ ...TOKEN, top_logprobs: [{ ...OTHER, logprob: 1 }] }])],
  ['more alternatives than requested', record('a', [{ ...TOKEN, top_logprobs: [OTHER, OTHER] }])],
  ['more alternatives than there may be', record('a', [{ ...TOKEN, top_logprobs: many(21) }])],
  ['tokens without their text', record('a', [TOKEN, TOKEN])],
  ['tokens beyond the grant', record('aaaa', many(4))],
  ['text that ends its event', record('a"}]}\n\n', [TOKEN])],
])('%s ends the session', (_what, bytes) => {
  expect(() => start().take(bytes)).toThrow(FrameError);
});

test('log probabilities that were not requested end the session', () => {
  const { take } = start(null);
  expect(() => take(record('a', [TOKEN]))).toThrow('log probabilities were not requested');
});

test('the bounds hold over all records of an answer', () => {
  const { take } = start();
  take(record('aa', [TOKEN]));
  take(record('', [TOKEN]));
  expect(() => take(record('', [TOKEN]))).toThrow('text that was not sent');
  const next = start();
  for (let nth = 0; nth < 3; nth++) next.take(record('a', [TOKEN]));
  expect(() => next.take(record('a', [TOKEN]))).toThrow('token grant');
});
