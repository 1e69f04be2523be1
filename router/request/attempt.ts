/** One attempt of a request on one worker: what it may use, and how it is dispatched. */
import { limits } from '../../shared/limits.ts';
import type { SlotReservation } from '../fleet/fleet.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Forecasts } from '../routing/forecasts.ts';
import { cachedTokensMax, packChunks, predictedTokens } from '../routing/prompt.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { ParsedRequest } from './arrive.ts';
import { completionId } from './call.ts';

export type Attempt = Readonly<{
  worker: Worker;
  /** Completion tokens granted with the `open`, and whether they are all that the answer may have. */
  granted: Readonly<{ tokens: number; final: boolean }>;
  cache: Cache;
  /** Sends an `open`, the unchanged body, and a grant that the hold covers. */
  dispatch(events: StreamEvents): Stream;
  /** Reports the first token and then the end to the forecast. Calls after the end do nothing. */
  routingFeedback: Readonly<{
    firstToken(): void;
    finished(promptTokens: number, cachedTokens: number | null): void;
    over(): void;
  }>;
}>;

/** What the prefix index said about the prompt on the worker before the dispatch, in tokens. */
type Cache = Readonly<{
  /** Without the evictions that the host reports, which it could make up (decision 0022). */
  predicted(promptTokens: number): number;
  /** The most that may be charged as cached. */
  most(promptTokens: number): number;
  /**
   * The most that an honest host can report. It is above `most` where the engine also hits what
   * other organizations sent.
   */
  possible(promptTokens: number): number;
}>;

/**
 * The completion tokens to request from the engine: the request's limit, or the answer's maximum if
 * that is certain to fit. Null when only the engine knows how much fits.
 */
function engineTokens(parsed: ParsedRequest): number | null {
  const { maxTokens, answerTokensMax, promptTokensMax, model } = parsed;
  if (maxTokens !== null) return maxTokens;
  const isCertain = promptTokensMax + answerTokensMax <= model.entry.context_length;
  return isCertain ? answerTokensMax : null;
}

/** `number` counts the attempts of a request from 1. */
export function makeAttempt(
  forecasts: Forecasts,
  { call, caller, parsed, hold, trace }: AdmittedRequest,
  reservation: SlotReservation,
  number: number,
): Attempt {
  const { worker, flight } = reservation;
  const most = parsed.answerTokensMax;
  const prompt = worker.load.runningUsage ? parsed.promptTokensEstimate : parsed.promptTokensMax;
  const tokens = Math.min(most, Math.max(0, hold.tokensCovered(prompt)));
  hold.assertCovers(prompt, tokens);
  const granted = { tokens, final: tokens >= most };
  return {
    worker,
    granted,
    cache: cacheOf(forecasts, reservation),
    routingFeedback: {
      firstToken: () => worker.forecast.firstToken(flight),
      finished(promptTokens, cachedTokens) {
        worker.forecast.firstToken(flight);
        worker.forecast.ended(flight, { promptTokens, cachedTokens });
        reservation.history?.answered();
      },
      over: () => worker.forecast.lost(flight),
    },
    dispatch(events) {
      const traceparent = trace.attempt();
      return worker.session.open(
        worker,
        {
          request: call.id,
          attempt: number,
          model: parsed.model.entry.id,
          endpoint: parsed.endpoint,
          streamed: parsed.streamed,
          completionId: completionId(call, parsed),
          maxTokens: engineTokens(parsed),
          salt: caller.salt,
          ...(parsed.topLogprobs !== null && { topLogprobs: parsed.topLogprobs }),
          ...(traceparent !== null && { traceparent }),
          chunks: packChunks(parsed.promptQuery.prompt),
          promptTokens: flight.promptTokens,
          uncachedTokens: flight.promptTokens - flight.cachedTokens,
          grant: { ...granted, bytes: limits.streamWindowBytes },
        },
        parsed.raw,
        events,
      );
    },
  };
}

function cacheOf({ index }: Forecasts, { worker, flight, sent, history }: SlotReservation): Cache {
  const { prompt, ownDepth } = flight;
  const predicted = (tokens: number) => predictedTokens(prompt, ownDepth, tokens);
  if (history) {
    const { isRepeated } = history;
    return {
      predicted,
      // An unsalted cache also hits what other organizations sent, so only what this organization
      // sent counts: the whole prompt, or the whole chunks with which it begins.
      most: (tokens) => (isRepeated ? tokens : predictedTokens(prompt, sent, tokens)),
      possible: (tokens) => tokens,
    };
  }
  const most = (tokens: number) => {
    const isComplete = index.isComplete(worker.forecast.number);
    return isComplete ? cachedTokensMax(sent, tokens) : Math.max(0, tokens - 1);
  };
  return { predicted, most, possible: most };
}
