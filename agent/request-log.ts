/**
 * The log of requests: one line for each attempt at a request, written when it ends. It has ids and
 * figures, and nothing of a prompt or an answer.
 */
import type { Log } from '../shared/log.ts';
import type { RequestLogSetting } from '../shared/request-log-setting.ts';
import { parseTraceparent } from '../shared/tracing/trace-context.ts';
import type { Open } from '../shared/wire/messages.ts';
import type { Counts } from './engine/counts.ts';
import type { RequestMeter, RequestStatus } from './request-metrics.ts';

const COMPLETE: readonly RequestStatus[] = ['stop', 'length', 'tool_calls'];

export class RequestLog {
  readonly #log: Log;
  readonly #setting: RequestLogSetting;

  constructor(log: Log, setting: RequestLogSetting) {
    this.#log = log;
    this.#setting = setting;
  }

  /** `counts`: null if the engine has not seen the request. `now`: monotonic ms. */
  ended(
    { request, attempt, completionId, worker, model, streamed, traceparent }: Open,
    status: RequestStatus,
    { meter, counts, now }: Readonly<{ meter: RequestMeter; counts: Counts | null; now: number }>,
  ): void {
    if (this.#setting === 'none') return;
    if (this.#setting === 'failures' && COMPLETE.includes(status)) return;
    const { startedAt, firstAt } = meter;
    this.#log.info(
      {
        request,
        attempt,
        completion: completionId,
        engine: worker,
        model,
        streamed,
        status,
        ttftMs: firstAt === null ? null : Math.round(firstAt - startedAt),
        durationMs: Math.round(now - startedAt),
        promptTokens: counts?.prompt ?? 0,
        cachedTokens: counts?.cached ?? null,
        completionTokens: counts?.completion ?? 0,
        ...(traceparent !== undefined && { trace: parseTraceparent(traceparent)?.traceId }),
      },
      'attempt ended',
    );
  }
}
