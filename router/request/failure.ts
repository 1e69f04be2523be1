/** What a failed attempt means for the client, for its worker, and for the charge. */
import { Refusal } from '../../shared/refusals.ts';
import type { Failed } from '../../shared/wire/end.ts';
import { fieldName, promptField } from './api.ts';
import type { ParsedRequest } from './arrive.ts';
import type { Cause } from './who-pays.ts';

/**
 * What a failure says about its worker: nothing, that its context is shorter than the catalog's, that
 * it failed, or that the request killed it.
 */
export type Fault = 'none' | 'short_context' | 'failed' | 'died';

export type Failure = Readonly<{ cause: Cause; refusal: Refusal; fault: Fault }>;

type Limits = Pick<ParsedRequest, 'api' | 'maxTokens' | 'model'>;

export const FAILURES = {
  lost: () => failure('worker_lost', 'worker_lost', 'died'),
  engine: () => failure('engine_failed', 'engine_failed', 'failed'),
  died: () => failure('engine_died', 'engine_failed', 'died'),
  empty: () => failure('empty_answer', 'engine_failed', 'failed'),
  misbehaved: () => failure('agent_misbehaved', 'engine_failed', 'failed'),
} as const;

/**
 * The failure when prompt and answer do not fit the context, as the engine counted the prompt.
 * `room` is the number of tokens that are left for the answer.
 */
export function beyondContext(limits: Limits, room: number): Failure {
  const { api, maxTokens, model } = limits;
  const field = promptField(api);
  const prompt = model.entry.context_length - room;
  const answer = maxTokens === null ? '' : `, and ${maxTokens} for the answer`;
  const isPrompt = maxTokens === null || room < 1;
  return contextLength(
    limits,
    isPrompt ? field : fieldName(api, 'max_tokens'),
    null,
    ` You asked for ${prompt} tokens of ${field}${answer}.`,
  );
}

/**
 * Clients know this failure by words of its text: LiteLLM, LangChain and coding agents then shorten
 * the conversation. The words are those of OpenAI and vLLM, after those of Anthropic where the
 * client speaks the Messages API. `engineContext`: the engine's context, if it is a shorter one.
 */
function contextLength(
  { api, model }: Limits,
  param: string,
  engineContext: number | null,
  counted = '',
): Failure {
  const most = engineContext ?? model.entry.context_length;
  const message =
    (api === 'messages' ? 'prompt is too long: ' : '') +
    `This model's maximum context length is ${most} tokens.${counted} ` +
    `Please reduce the length of the ${promptField(api)}. (context_length_exceeded)`;
  const refusal = new Refusal('context_length_exceeded', { param, message });
  const fault = engineContext === null ? 'none' : 'short_context';
  return { cause: 'context_length', refusal, fault };
}

/**
 * The failure for a reason that an engine gave. The caller handles a `busy` from before the answer
 * has begun: that is no failure, and the request goes elsewhere or waits.
 */
export function engineFailure(end: Failed, limits: Limits): Failure {
  switch (end.reason) {
    case 'context_length': {
      const { contextLength: engineContext = Infinity } = end;
      const isShorter = engineContext < limits.model.entry.context_length;
      return contextLength(limits, promptField(limits.api), isShorter ? engineContext : null);
    }
    case 'bad_request': {
      // Only the engine knows which field is at fault.
      const message = 'The engine does not accept this request.';
      const refusal = new Refusal('invalid_value', { message });
      return { cause: 'request_refused', refusal, fault: 'none' };
    }
    case 'engine_died':
      return FAILURES.died();
    case 'busy':
    case 'engine':
      return FAILURES.engine();
  }
}

function failure(
  cause: Cause,
  code: 'worker_lost' | 'engine_failed',
  fault: Exclude<Fault, 'none'>,
): Failure {
  return { cause, refusal: new Refusal(code, { retryAfterS: 1 }), fault };
}
