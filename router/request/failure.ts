/** What a failed attempt means: for the client, and for the worker that had it. */
import { Refusal } from '../../shared/refusals.ts';
import type { End } from '../../shared/wire/messages.ts';

/** What it says of the worker: nothing, that it failed, or that it died under this request. */
export type Fault = 'none' | 'failed' | 'died';

export type Failure = Readonly<{ refusal: Refusal; fault: Fault }>;

export const FAILURES = {
  lost: () => failure('worker_lost', 'died'),
  engine: () => failure('engine_failed', 'failed'),
  died: () => failure('engine_failed', 'died'),
  busy: () => failure('overloaded', 'failed'),
} as const;

/** What an engine says of it. `promptField`: where the request has its prompt. */
export function engineFailure(
  reason: Extract<End, { outcome: 'failed' }>['reason'],
  promptField: string,
): Failure {
  switch (reason) {
    case 'context_length': {
      const refusal = new Refusal('context_length_exceeded', { param: promptField });
      return { refusal, fault: 'none' };
    }
    case 'bad_request': {
      // Which field it is the engine alone knows.
      const message = 'The engine does not accept this request.';
      return { refusal: new Refusal('invalid_value', { message }), fault: 'none' };
    }
    case 'busy':
      return FAILURES.busy();
    case 'engine_died':
      return FAILURES.died();
    case 'engine':
      return FAILURES.engine();
  }
}

function failure(
  code: 'overloaded' | 'worker_lost' | 'engine_failed',
  fault: Exclude<Fault, 'none'>,
): Failure {
  return { refusal: new Refusal(code, { retryAfterS: 1 }), fault };
}
