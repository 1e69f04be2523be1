/** What a failed attempt means: for the client, for the worker that had it, and for who pays. */
import { Refusal } from '../../shared/refusals.ts';
import type { End } from '../../shared/wire/messages.ts';
import type { Ask } from './arrive.ts';
import type { Cause } from './who-pays.ts';

/** What it says of the worker: nothing, that it failed, or that it died under this request. */
export type Fault = 'none' | 'failed' | 'died';

export type Failure = Readonly<{ cause: Cause; refusal: Refusal; fault: Fault }>;

type Asked = Pick<Ask, 'endpoint' | 'maxTokens'>;
/** Where a request has its prompt. */
const PROMPT_FIELD = { chat: 'messages', completions: 'prompt' } as const;

export const FAILURES = {
  lost: () => failure('worker_lost', 'worker_lost', 'died'),
  engine: () => failure('engine_failed', 'engine_failed', 'failed'),
  died: () => failure('engine_died', 'engine_failed', 'died'),
  empty: () => failure('empty_answer', 'engine_failed', 'failed'),
  misbehaved: () => failure('agent_misbehaved', 'engine_failed', 'failed'),
} as const;

/** Prompt and answer do not fit, now that the engine has counted the prompt: so much room is left for the answer. */
export function beyondContext({ endpoint, maxTokens }: Asked, room: number): Failure {
  const isPrompt = maxTokens === null || room < 1;
  const param = isPrompt ? PROMPT_FIELD[endpoint] : 'max_tokens';
  const refusal = new Refusal('context_length_exceeded', { param });
  return { cause: 'context_length', refusal, fault: 'none' };
}

/**
 * What an engine says of it. An engine that is `busy` before it has
 * said anything has not failed: its request goes elsewhere, or waits.
 */
export function engineFailure(
  reason: Extract<End, { outcome: 'failed' }>['reason'],
  { endpoint }: Asked,
): Failure {
  switch (reason) {
    case 'context_length': {
      const refusal = new Refusal('context_length_exceeded', {
        param: PROMPT_FIELD[endpoint],
      });
      return { cause: 'context_length', refusal, fault: 'none' };
    }
    case 'bad_request': {
      // Which field it is the engine alone knows.
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
