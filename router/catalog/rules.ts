/**
 * Checks of a request that depend on the catalog entry of its model. Every fault is a Refusal that
 * names the field.
 */
import type { CatalogModel, Thinking } from '../../shared/catalog.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { RequestedFeatures } from './requested-features.ts';

/** Returns the reason why the model does not serve the request. Null when it does. */
export function checkAsked(model: CatalogModel, asked: RequestedFeatures): Refusal | null {
  return checkSampling(model, asked) ?? checkFeatures(model, asked) ?? checkImages(model, asked);
}

/** The refusal for a model that is not in the catalog. */
export function unknownModel(id: string): Refusal {
  const message = `The model "${id}" does not exist: see GET /v1/models.`;
  return new Refusal('model_not_found', {
    param: 'model',
    // A longer name is none that the client could have from the catalog.
    ...(id.length <= limits.modelIdCharsMax && { message }),
  });
}

function unsupported(param: string, message: string): Refusal {
  return new Refusal('unsupported_parameter', { param, message });
}

/** Sampling parameters must be listed by the model, and `max_tokens` must be within its limit. */
function checkSampling(model: CatalogModel, asked: RequestedFeatures): Refusal | null {
  const supported: readonly string[] = model.supported_sampling_parameters;
  const unknown = asked.listed.find((name) => !supported.includes(name));
  if (unknown) return unsupported(unknown, `${model.id} does not support ${unknown}.`);
  if (asked.topLogprobs === null && asked.listed.includes('top_logprobs')) {
    const message = 'top_logprobs needs logprobs: true.';
    return new Refusal('invalid_value', { param: 'top_logprobs', message });
  }
  if (asked.maxTokens !== null && asked.maxTokens > model.max_output_length) {
    return new Refusal('invalid_value', {
      param: asked.maxTokensField,
      message: writesAtMost(model),
    });
  }
  return null;
}

/** Clients call the field differently (`param` has its name), so the message does not. */
function writesAtMost({ id, max_output_length: most, supported_features: has }: CatalogModel) {
  const thinking = has.includes('reasoning') ? ', thinking included' : '';
  return `${id} writes at most ${most.toLocaleString('en')} tokens${thinking}: ask for fewer.`;
}

/** JSON mode, tools and reasoning require that the model has the feature. */
function checkFeatures(model: CatalogModel, asked: RequestedFeatures): Refusal | null {
  const has = (feature: 'tools' | 'json_mode' | 'reasoning') =>
    model.supported_features.includes(feature);
  if (asked.wantsJson && !has('json_mode')) {
    return unsupported('response_format', `${model.id} has no JSON mode.`);
  }
  if (asked.wantsReasoning && !has('reasoning')) {
    return unsupported('reasoning', `${model.id} does not reason.`);
  }
  if ((asked.reasoningTokens ?? 0) > model.max_output_length) {
    return new Refusal('invalid_value', {
      param: 'reasoning.max_tokens',
      message: writesAtMost(model),
    });
  }
  if (asked.tools > 0 && !has('tools')) {
    return unsupported('tools', `${model.id} does not use tools.`);
  }
  return asked.toolChoice && new Refusal('invalid_value', asked.toolChoice);
}

/**
 * Log probabilities cost the router many times what text costs, so a whole answer, which it keeps,
 * has a limit of them. The alternatives to a token of reasoning would show reasoning that is
 * withheld, and engines do not tell its tokens from those of the answer, so such requests must not
 * reason.
 */
export function checkLogprobs(
  model: CatalogModel,
  asked: RequestedFeatures,
  streamed: boolean,
): Refusal | null {
  if (asked.topLogprobs === null) return null;
  if (asked.isChat && model.thinking !== null && mayThink(asked, model.thinking)) {
    const message =
      `${model.id} has no log probabilities when it reasons: ` +
      'send "reasoning": {"enabled": false}, if the model can do without.';
    return new Refusal('unsupported_parameter', { param: 'logprobs', message });
  }
  const most = logprobTokensMax(asked, streamed);
  if ((asked.maxTokens ?? 0) <= most) return null;
  const message =
    `An answer that is not streamed has at most ${most} tokens with so many log probabilities: ` +
    'ask for fewer, or stream it.';
  return new Refusal('invalid_value', { param: asked.maxTokensField, message });
}

/** The most completion tokens of an answer: what is requested, within what the model writes. */
export function answerTokensMax(
  model: CatalogModel,
  asked: RequestedFeatures,
  streamed: boolean,
): number {
  return Math.min(asked.maxTokens ?? model.max_output_length, logprobTokensMax(asked, streamed));
}

/** The most tokens of an answer that log probabilities allow. */
function logprobTokensMax({ topLogprobs }: RequestedFeatures, streamed: boolean): number {
  if (streamed || topLogprobs === null) return Infinity;
  return Math.floor(limits.logprobsPerAnswerMax / (1 + topLogprobs));
}

/** Whether a model may think in its answer to a request. */
function mayThink(asked: RequestedFeatures, thinking: Thinking): boolean {
  if (thinking.default === 'off' && !asked.wantsReasoning) return false;
  return !turnsThinkingOff(asked, thinking);
}

/** Whether a request keeps its model from thinking. */
export function turnsThinkingOff(asked: RequestedFeatures, thinking: Thinking): boolean {
  return asked.hiddenReasoning === 'declined' && thinking.can_disable && thinking.toggle !== null;
}

/** Images require a model with image input, and must be base64 data URIs. */
function checkImages(model: CatalogModel, { images }: RequestedFeatures): Refusal | null {
  if (images.first !== null && !model.input_modalities.includes('image')) {
    return unsupported(images.first, `${model.id} does not take images.`);
  }
  if (images.notTaken === null) return null;
  return new Refusal('invalid_value', {
    param: images.notTaken,
    message: 'An image is a data URI of type image/png, jpeg, webp or gif in base64.',
  });
}
