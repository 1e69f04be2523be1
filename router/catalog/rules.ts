/**
 * What a request may ask of its model: the rules of SPEC 2.4, 4 and 8 that depend on the catalog entry.
 * Each fault is a Refusal that names the field.
 */
import type { ChatRequest, CompletionRequest } from '../../shared/api/inference.ts';
import { type CatalogModel, SAMPLING_PARAMETERS } from '../../shared/catalog.ts';
import { Refusal } from '../../shared/refusals.ts';

/** The tokens a request asks for at most, or null where it leaves that to the model. */
export function askedTokens(body: ChatRequest | CompletionRequest): number | null {
  return body.max_tokens ?? body.max_completion_tokens ?? null;
}

function unsupported(param: string, message: string): Refusal {
  return new Refusal('unsupported_parameter', { param, message });
}

/** Sampling parameters: listed by the model, and the length within its bounds. */
export function checkSampling(
  model: CatalogModel,
  body: ChatRequest | CompletionRequest,
): Refusal | null {
  const supported: readonly string[] = model.supported_sampling_parameters;
  for (const name of SAMPLING_PARAMETERS) {
    if ((body[name] ?? null) !== null && !supported.includes(name)) {
      return unsupported(name, `${model.id} does not support ${name}.`);
    }
  }
  const asked = askedTokens(body);
  if (asked !== null && asked > model.max_output_length) {
    return new Refusal('invalid_value', {
      param: (body.max_tokens ?? null) === null ? 'max_completion_tokens' : 'max_tokens',
      message: `${model.id} writes at most ${model.max_output_length} tokens.`,
    });
  }
  return null;
}

/** JSON mode, tools, reasoning: only where the model has them. */
export function checkFeatures(model: CatalogModel, body: ChatRequest): Refusal | null {
  const has = (feature: 'tools' | 'json_mode' | 'reasoning') =>
    model.supported_features.includes(feature);
  if (body.response_format?.type === 'json_object' && !has('json_mode')) {
    return unsupported('response_format', `${model.id} has no JSON mode.`);
  }
  if (body.reasoning && !has('reasoning')) {
    return unsupported('reasoning', `${model.id} does not reason.`);
  }
  if ((body.reasoning?.max_tokens ?? 0) > model.max_output_length) {
    return new Refusal('invalid_value', {
      param: 'reasoning.max_tokens',
      message: `${model.id} writes at most ${model.max_output_length} tokens, thinking included.`,
    });
  }
  const tools = body.tools ?? [];
  if (tools.length > 0 && !has('tools')) {
    return unsupported('tools', `${model.id} does not use tools.`);
  }
  return checkToolChoice(tools, body.tool_choice);
}

function checkToolChoice(
  tools: NonNullable<ChatRequest['tools']>,
  choice: ChatRequest['tool_choice'],
): Refusal | null {
  if (choice === 'required' && tools.length === 0) {
    return new Refusal('invalid_value', {
      param: 'tool_choice',
      message: 'tool_choice is required, but there are no tools.',
    });
  }
  if (typeof choice === 'object' && choice !== null) {
    const { name } = choice.function;
    if (!tools.some((tool) => tool.function.name === name)) {
      return new Refusal('invalid_value', {
        param: 'tool_choice.function.name',
        message: 'tool_choice names a function that is not among the tools.',
      });
    }
  }
  return null;
}

const DATA_URI = /^data:image\/(?:png|jpeg|jpg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function isImage(url: string): boolean {
  const head = DATA_URI.exec(url.slice(0, 64));
  if (!head) return false;
  const data = url.slice(head[0].length);
  return data.length % 4 === 0 && BASE64.test(data);
}

/** What the images of a chat weigh: their number, and their bytes within the body. */
export type Images = Readonly<{ count: number; bytes: number }>;

/** Images: only on models that see, only as base64 data URIs (SPEC 4.1). */
export function checkImages(model: CatalogModel, body: ChatRequest): Images | Refusal {
  let count = 0;
  let bytes = 0;
  for (const [m, message] of body.messages.entries()) {
    if (!Array.isArray(message.content)) continue;
    for (const [p, part] of message.content.entries()) {
      if (part.type !== 'image_url') continue;
      const param = `messages[${m}].content[${p}].image_url.url`;
      if (!model.input_modalities.includes('image')) {
        return unsupported(param, `${model.id} does not take images.`);
      }
      if (!isImage(part.image_url.url)) {
        return new Refusal('invalid_value', {
          param,
          message: 'An image is a data URI of type image/png, jpeg, webp or gif in base64.',
        });
      }
      count += 1;
      bytes += part.image_url.url.length;
    }
  }
  return { count, bytes };
}
