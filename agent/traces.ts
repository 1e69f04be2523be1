/**
 * The spans of the attempts at traced requests: one for the attempt, and one for the call of the
 * engine. They are made when the attempt has ended, from its recorded times (decision 0026).
 */
import type { Clock } from '../shared/clock.ts';
import type { Random } from '../shared/random.ts';
import { GEN_AI_OPERATIONS, type Span, type SpanSink } from '../shared/tracing/span.ts';
import {
  mintSpanId,
  parseTraceparent,
  sampledTraceparent,
  type TraceContext,
} from '../shared/tracing/trace-context.ts';
import type { Open } from '../shared/wire/messages.ts';
import type { Counts } from './engine/counts.ts';
import type { RequestMeter, RequestStatus } from './request-metrics.ts';

const ENDED_WELL: readonly RequestStatus[] = ['stop', 'length', 'tool_calls', 'cancelled'];

export type TracesParts = Readonly<{ sink: SpanSink; clock: Clock; random: Random }>;

export class AttemptTraces {
  readonly #parts: TracesParts;

  constructor(parts: TracesParts) {
    this.#parts = parts;
  }

  /** `engine`: its name. Returns null when the router does not trace the request. */
  begin(open: Open, engine: string): AttemptTrace | null {
    const context = parseTraceparent(open.traceparent);
    return context?.isSampled ? new AttemptTrace(this.#parts, { open, engine, context }) : null;
  }
}

type Traced = Readonly<{ open: Open; engine: string; context: TraceContext }>;

export class AttemptTrace {
  readonly #parts: TracesParts;
  readonly #of: Traced;
  readonly #attempt: string;
  /** The call of the engine: the id of its span, and its begin in monotonic ms. */
  #call: Readonly<{ id: string; start: number }> | null = null;

  constructor(parts: TracesParts, of: Traced) {
    this.#parts = parts;
    this.#of = of;
    this.#attempt = mintSpanId(parts.random);
  }

  /** The engine is called. Returns the header `traceparent` of the call. */
  call(): string {
    const { random, clock } = this.#parts;
    this.#call = { id: mintSpanId(random), start: clock.monotonic() };
    return sampledTraceparent(this.#of.context.traceId, this.#call.id);
  }

  /** `counts`: null if the engine has not seen the request. `now`: monotonic ms. */
  ended(
    status: RequestStatus,
    { meter, counts, now }: Readonly<{ meter: RequestMeter; counts: Counts | null; now: number }>,
  ): void {
    const { open, engine, context } = this.#of;
    const { clock, sink } = this.#parts;
    const ahead = clock.now() - clock.monotonic();
    const operation = GEN_AI_OPERATIONS[open.endpoint];
    const { firstAt } = meter;
    const common = {
      traceId: context.traceId,
      end: now + ahead,
      error: ENDED_WELL.includes(status) ? null : status,
    };
    const inference = {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': open.model,
      'gen_ai.usage.input_tokens': counts?.prompt ?? null,
      'gen_ai.usage.output_tokens': counts?.completion ?? null,
    };
    const attempt: Span = {
      ...common,
      id: this.#attempt,
      parent: context.spanId,
      isParentRemote: true,
      name: `attempt ${open.model}`,
      kind: 'server',
      start: meter.startedAt + ahead,
      attributes: {
        ...inference,
        'penstock.request.id': open.request,
        'penstock.attempt': open.attempt,
        'penstock.engine': engine,
        'penstock.status': status,
      },
      events: [],
    };
    if (this.#call === null) return sink.add([attempt]);
    const call: Span = {
      ...common,
      id: this.#call.id,
      parent: this.#attempt,
      isParentRemote: false,
      name: `${operation} ${open.model}`,
      kind: 'client',
      start: this.#call.start + ahead,
      attributes: {
        ...inference,
        'gen_ai.response.id': open.completionId,
        'penstock.engine': engine,
      },
      events: firstAt === null ? [] : [{ name: 'first_token', at: firstAt + ahead }],
    };
    sink.add([attempt, call]);
  }
}
