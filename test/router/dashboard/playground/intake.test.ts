import { expect, test } from 'vitest';
import { Intake } from '../../../../router/dashboard/pages/playground/intake.ts';
import { TextBuffer } from '../../../../router/dashboard/pages/playground/text-buffer.ts';

function rig() {
  const [text, thoughts] = [new TextBuffer(), new TextBuffer()];
  const parts: string[] = [];
  const intake = new Intake({ text, thoughts, turned: (part) => parts.push(part) });
  return { intake, text, thoughts, parts };
}

function event(delta: object, finish: string | null = null): string {
  return data({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

const USAGE = data({
  choices: [],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 3,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 1 },
  },
});
const STREAM = [
  ':\n\n',
  event({ role: 'assistant', content: '' }),
  event({ reasoning: 'Hm.' }),
  event({ content: 'Grüße, ' }),
  event({ content: 'Ada' }),
  event({ content: '!' }, 'stop'),
  USAGE,
  'data: [DONE]\n\n',
].join('');

test('an answer is the same however the network cuts it', () => {
  for (const size of [1, 2, 7, 64, STREAM.length]) {
    const { intake, text, thoughts, parts } = rig();
    for (let at = 0; at < STREAM.length; at += size) intake.feed(STREAM.slice(at, at + size));
    expect(text.text).toBe('Grüße, Ada!');
    expect(thoughts.text).toBe('Hm.');
    expect(parts).toEqual(['reasoning', 'text']);
    expect(intake.ending).toEqual({
      finish: 'stop',
      usage: { prompt: 9, cached: 2, completion: 3, reasoning: 1 },
      calls: [],
    });
  }
});

test('without its finish chunk or without [DONE] an answer has no end', () => {
  const unfinished = rig();
  unfinished.intake.feed(`${event({ content: 'a' })}data: [DONE]\n\n`);
  expect(unfinished.intake.ending).toBeNull();
  const undone = rig();
  undone.intake.feed(event({ content: 'a' }, 'stop'));
  expect(undone.intake.ending).toBeNull();
});

test('the fragments of calls are joined by their index', () => {
  const { intake, parts } = rig();
  const call = (index: number, rest: object) => event({ tool_calls: [{ index, ...rest }] });
  intake.feed(call(0, { id: 'call_1', function: { name: 'weather', arguments: '' } }));
  intake.feed(call(0, { function: { arguments: '{"city":' } }));
  intake.feed(call(1, { id: 'call_2', function: { name: 'time', arguments: '{}' } }));
  intake.feed(call(0, { function: { arguments: '"Oslo"}' } }));
  intake.feed(`${event({}, 'tool_calls')}data: [DONE]\n\n`);
  expect(parts).toEqual(['tools']);
  expect(intake.ending?.calls).toEqual([
    { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { id: 'call_2', name: 'time', arguments: '{}' },
  ]);
  expect(intake.ending?.usage).toBeNull();
});

test('an error within the stream is told, and so is an event that is not JSON', () => {
  const failed = rig();
  failed.intake.feed(data({ error: { message: 'The engine failed.', code: 'engine_failed' } }));
  expect(failed.intake.fault).toMatchObject({
    code: 'engine_failed',
    message: 'The engine failed.',
  });
  const broken = rig();
  broken.intake.feed('data: {"choices":\n\n');
  expect(broken.intake.fault).not.toBeNull();
});
