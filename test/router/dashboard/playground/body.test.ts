import { expect, test } from 'vitest';
import { IDLE } from '../../../../router/dashboard/pages/playground/answer.ts';
import { buildBody } from '../../../../router/dashboard/pages/playground/body.ts';
import type { Body } from '../../../../router/dashboard/pages/playground/request.ts';
import { NO_SETTINGS } from '../../../../router/dashboard/pages/playground/settings.ts';
import { EXAMPLE_TOOLS } from '../../../../router/dashboard/pages/playground/tools.ts';
import {
  newStep,
  type Prompt,
  type Step,
  type Turn,
} from '../../../../router/dashboard/pages/playground/turns.ts';
import { checkChat } from '../../../../router/request/reading/check.ts';
import { isFault } from '../../../../router/request/reading/fault.ts';
import { model } from './models.ts';

const EVERYTHING = {
  system: 'Be brief.',
  numbers: { temperature: '0', top_k: '40', seed: '7' },
  stop: 'END',
  effort: 'low',
  json: true,
  tools: EXAMPLE_TOOLS,
  toolChoice: 'required',
} as const;

const IMAGE = { name: 'dot.png', url: 'data:image/png;base64,iVBORw0=', bytes: 5 };

function turn(id: number, prompt: Partial<Prompt>, steps: Turn['steps'] = { a: [] }): Turn {
  return { id, prompt: { text: '', images: [], ...prompt }, steps };
}

function answered(text: string, changed: Partial<Step> = {}): Step {
  const step = newStep(1, { body: { model: 'acme/one' } as Body, leftOut: [] });
  step.text.write(text);
  return { ...step, ...changed };
}

test('nothing but what was set is sent', () => {
  const { body, leftOut } = buildBody(model(), NO_SETTINGS, {
    turns: [turn(1, { text: 'Hello' })],
    lane: 'a',
  });
  expect(body).toEqual({
    model: 'acme/one',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(leftOut).toEqual([]);
});

test('everything that the model takes is sent, and the API takes the body', () => {
  const able = model({
    input_modalities: ['text', 'image'],
    supported_sampling_parameters: ['temperature', 'top_k', 'seed', 'stop'],
    supported_features: ['tools', 'json_mode', 'reasoning'],
  });
  const turns = [turn(1, { text: 'What is this?', images: [IMAGE] })];
  const { body, leftOut } = buildBody(able, EVERYTHING, { turns, lane: 'a' });
  expect(leftOut).toEqual([]);
  expect(body).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: IMAGE.url } },
        ],
      },
    ],
    temperature: 0,
    top_k: 40,
    seed: 7,
    stop: ['END'],
    reasoning: { effort: 'low' },
    response_format: { type: 'json_object' },
    tool_choice: 'required',
  });
  expect(body.tools).toHaveLength(1);
  expect(isFault(checkChat({ ...body }, { nodesLeft: 1_000, depthMax: 10 }))).toBe(false);
});

test('what the model does not take is left out and told', () => {
  const turns = [turn(1, { text: 'What is this?', images: [IMAGE] })];
  const { body, leftOut } = buildBody(model(), EVERYTHING, { turns, lane: 'a' });
  expect(leftOut).toEqual(['images', 'Top K', 'reasoning effort', 'JSON mode', 'tools']);
  expect(body.messages.at(-1)).toEqual({ role: 'user', content: 'What is this?' });
  for (const name of ['top_k', 'reasoning', 'response_format', 'tools', 'tool_choice']) {
    expect(body).not.toHaveProperty(name);
  }
});

test('calls that were answered are part of the conversation, those that were not are left out', () => {
  const calls = [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' }];
  const answer = { ...IDLE, phase: 'done', calls } as const;
  const steps = [answered('', { answer, results: ['12 °C'] }), answered('It is 12 °C.')];
  const turns = [
    turn(1, { text: 'Weather?' }, { a: steps }),
    turn(2, { text: 'And now?' }, { a: [answered('', { answer })] }),
    turn(3, { text: 'Well?' }),
  ];
  const { body } = buildBody(model(), NO_SETTINGS, { turns, lane: 'a' });
  expect(body.messages).toEqual([
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '12 °C' },
    { role: 'assistant', content: 'It is 12 °C.' },
    { role: 'user', content: 'And now?' },
    { role: 'user', content: 'Well?' },
  ]);
  expect(isFault(checkChat({ ...body }, { nodesLeft: 1_000, depthMax: 10 }))).toBe(false);
});

test('a model that is compared later goes on with what the first one said', () => {
  const turns = [
    turn(1, { text: 'One' }, { a: [answered('first')] }),
    turn(2, { text: 'Two' }, { a: [answered('of a')], b: [answered('of b')] }),
    turn(3, { text: 'Three' }, { a: [], b: [] }),
  ];
  const said = (lane: 'a' | 'b') =>
    buildBody(model(), NO_SETTINGS, { turns, lane }).body.messages.map(({ content }) => content);
  expect(said('a')).toEqual(['One', 'first', 'Two', 'of a', 'Three']);
  expect(said('b')).toEqual(['One', 'first', 'Two', 'of b', 'Three']);
});
