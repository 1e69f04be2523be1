/** Sends a request to its worker: an `open`, the body's own bytes, and a grant the hold already pays for. */
import { limits } from '../../shared/limits.ts';
import { cachedTokensMax, predictedTokens } from '../fleet/prefix-index.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Hold } from '../ledger/hold.ts';
import type { Ask } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import { type Call, completionId } from './call.ts';

/** One try of a request on one worker. */
export type Attempt = Readonly<{
  worker: Worker;
  /** Completion tokens granted with the `open`. */
  granted: number;
  /** What the prefix index says of this prompt on this worker, before it was sent there. */
  cache: { predicted(promptTokens: number): number; most(promptTokens: number): number };
  start(events: StreamEvents): Stream;
}>;

/** The tokens an engine is asked for: as wished, or the model's most if that is sure to fit. */
function engineTokens(ask: Ask): number | null {
  const { context_length, max_output_length } = ask.model.entry;
  if (ask.maxTokens !== null) return ask.maxTokens;
  return ask.promptTokensMax + max_output_length <= context_length ? max_output_length : null;
}

export function dispatch(
  call: Call,
  caller: Caller,
  ask: Ask,
  to: Readonly<{ worker: Worker; hold: Hold; attempt: number }>,
): Attempt {
  const { worker, hold } = to;
  const { prefix } = ask;
  const most = ask.maxTokens ?? ask.model.entry.max_output_length;
  const prompt = worker.load.runningUsage ? ask.promptTokensEstimate : ask.promptTokensMax;
  const granted = Math.min(most, Math.max(0, hold.tokensCovered(prompt)));
  const depth = worker.prefixes.depth(prefix);
  return {
    worker,
    granted,
    cache: {
      predicted: (tokens) => predictedTokens(prefix, depth, tokens),
      most: (tokens) =>
        worker.prefixes.isComplete ? cachedTokensMax(depth, tokens) : Math.max(0, tokens - 1),
    },
    start(events) {
      worker.prefixes.touch(prefix);
      return worker.session.open(
        worker,
        {
          request: call.id,
          attempt: to.attempt,
          model: ask.model.entry.id,
          endpoint: ask.endpoint,
          streamed: ask.streamed,
          completionId: completionId(call, ask),
          created: Math.floor(call.created / 1000),
          maxTokens: engineTokens(ask),
          salt: caller.salt,
          chunks: '',
          promptTokens: ask.promptTokensEstimate,
          uncachedTokens:
            ask.promptTokensEstimate - predictedTokens(prefix, depth, ask.promptTokensEstimate),
          grant: { tokens: granted, bytes: limits.streamWindowBytes, final: granted >= most },
        },
        ask.raw,
        events,
      );
    },
  };
}
