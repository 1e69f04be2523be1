/** Builds a request from the conversation so far and the settings that the model supports. */
import type { Model } from '../../../../shared/api/models.ts';
import type { Body, Message } from './request.ts';
import {
  has,
  NUMBERS,
  readNumber,
  readStops,
  seesImages,
  type Settings,
  takes,
} from './settings.ts';
import { readTools } from './tools.ts';
import { type Lane, type Prompt, type Step, stepsFor, type Turn } from './turns.ts';

export type Built = Readonly<{
  body: Body;
  /** Display names of the settings and content that this model does not support. */
  leftOut: readonly string[];
}>;

/**
 * Returns the request for the next answer in a lane. The settings must be valid: see `faultsOf`.
 */
export function buildBody(
  model: Model,
  settings: Settings,
  conversation: Readonly<{ turns: readonly Turn[]; lane: Lane }>,
): Built {
  const leftOut: string[] = [];
  const system = settings.system.trim();
  const said = messagesOf(conversation, seesImages(model));
  if (said.imagesLeftOut) leftOut.push('images');
  const body: Body = {
    model: model.id,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: settings.system }]),
      ...said.messages,
    ],
    ...sampling(model, settings, leftOut),
    ...features(model, settings, leftOut),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { body, leftOut };
}

function sampling(
  model: Model,
  settings: Settings,
  leftOut: string[],
): Readonly<Record<string, unknown>> {
  const set: Record<string, unknown> = {};
  for (const { name, label } of NUMBERS) {
    const value = readNumber(settings.numbers[name] ?? '', name, model);
    if (typeof value !== 'number') continue;
    if (takes(model, name)) set[name] = value;
    else leftOut.push(label);
  }
  const stop = readStops(settings.stop);
  if (typeof stop !== 'string' && stop.length > 0) {
    if (takes(model, 'stop')) set['stop'] = stop;
    else leftOut.push('stop sequences');
  }
  return set;
}

function features(model: Model, settings: Settings, leftOut: string[]) {
  const { effort, json, toolChoice } = settings;
  const tools = readTools(settings.tools);
  const wants = {
    reasoning: effort !== '',
    json_mode: json,
    tools: typeof tools !== 'string' && tools.length > 0,
  };
  const names = { reasoning: 'reasoning effort', json_mode: 'JSON mode', tools: 'tools' };
  const on = (feature: keyof typeof wants) => {
    if (wants[feature] && !has(model, feature)) leftOut.push(names[feature]);
    return wants[feature] && has(model, feature);
  };
  return {
    ...(on('reasoning') ? { reasoning: { effort } } : {}),
    ...(on('json_mode') ? { response_format: { type: 'json_object' as const } } : {}),
    ...(on('tools') && typeof tools !== 'string' ? { tools, tool_choice: toolChoice } : {}),
  };
}

/** Returns what was said in a lane. */
export function messagesOf(
  { turns, lane }: Readonly<{ turns: readonly Turn[]; lane: Lane }>,
  withImages: boolean,
): { messages: Message[]; imagesLeftOut: boolean } {
  const messages = turns.flatMap(({ prompt, steps }) => [
    promptMessage(prompt, withImages),
    ...stepsFor(steps, lane).flatMap(answerMessages),
  ]);
  const imagesLeftOut = !withImages && turns.some(({ prompt }) => prompt.images.length > 0);
  return { messages, imagesLeftOut };
}

function promptMessage({ text, images }: Prompt, withImages: boolean): Message {
  if (!withImages || images.length === 0) return { role: 'user', content: text };
  const shown = images.map(({ url }) => ({ type: 'image_url' as const, image_url: { url } }));
  const said = text === '' ? [] : [{ type: 'text' as const, text }];
  return { role: 'user', content: [...said, ...shown] };
}

/** An incomplete answer is part of the conversation; an answer without text is left out. */
function answerMessages({ text: written, answer, results }: Step): Message[] {
  const { text } = written;
  // Tool calls without results are left out, because a model cannot continue from them.
  if (results === null) return text === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: answer.calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      })),
    },
    ...answer.calls.map(({ id }, index) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: results[index] ?? '',
    })),
  ];
}
