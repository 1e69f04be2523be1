/** Decides which requests are traced, and makes their spans when they end. */
import type { IncomingHttpHeaders } from 'node:http';
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Random } from '../../shared/random.ts';
import {
  GEN_AI_OPERATIONS,
  type Span,
  type SpanAttributes,
  type SpanSink,
} from '../../shared/tracing/span.ts';
import {
  mintSpanId,
  mintTraceId,
  parseTraceparent,
  sampledTraceparent,
} from '../../shared/tracing/trace-context.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Usage } from '../ledger/terms.ts';
import { type Api, ENDPOINTS } from './api.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { Heard } from './heard.ts';
import { ROUTES } from './routes.ts';
import {
  type AttemptEnd,
  type NotAdmitted,
  type RequestTrace,
  type Stage,
  UNTRACED,
} from './trace.ts';

const PATHS = new Map(
  [...ROUTES].flatMap(([path, { route }]) =>
    route.kind === 'inference' ? [[route.api, path] as const] : [],
  ),
);
const SERVER_ERROR_MIN = 500;

export type TracesParts = Readonly<{
  clock: Clock;
  random: Random;
  sink: SpanSink;
  /** The share of requests that are traced, from 0 to 1. */
  sampleRatio: number;
}>;

/** The request of a caller, and its trace. */
type Traced = Readonly<{
  call: Call;
  api: Api;
  caller: Caller;
  traceId: string;
  /** The client's span. */
  parent: string | null;
}>;

export class RequestTraces {
  readonly #parts: TracesParts;
  readonly #fromClients: PeerRates<OrganizationId>;

  constructor(parts: TracesParts) {
    this.#parts = parts;
    this.#fromClients = new PeerRates(parts.clock, limits.clientTraces);
  }

  /**
   * Begins the trace of an authenticated request if it is sampled. The client's decision counts
   * (parent-based sampling), but only some requests a second are traced because their client wants
   * it. The others have the chance of a request whose client does not say.
   */
  begin(call: Call, api: Api, caller: Caller, headers: IncomingHttpHeaders): RequestTrace {
    const client = parseTraceparent(headers['traceparent']);
    if (client && !client.isSampled) return UNTRACED;
    const { random, sampleRatio } = this.#parts;
    const isSampled =
      (client !== null && this.#fromClients.spend(caller.organization)) ||
      random.unit() < sampleRatio;
    if (!isSampled) return UNTRACED;
    const traceId = client?.traceId ?? mintTraceId(random);
    const parent = client?.spanId ?? null;
    return new Recorder(this.#parts, { call, api, caller, traceId, parent });
  }
}

/** An ended attempt. */
type Attempted = Readonly<{
  id: string;
  worker: string;
  begunAt: number;
  firstByteAt: number | null;
  endedAt: number;
  how: AttemptEnd;
}>;

/** Records the times of one traced request, in monotonic ms. Makes its spans when it ends. */
class Recorder implements RequestTrace {
  readonly id: string;
  readonly #parts: TracesParts;
  readonly #of: Traced;
  readonly #server: string;
  readonly #stages: { name: Stage; start: number; end: number }[] = [];
  readonly #attempts: Attempted[] = [];
  #stage: Readonly<{ name: Stage; start: number }> | null;
  /** The id of the span of the attempt that is under way. */
  #attempt = '';
  #isOver = false;

  constructor(parts: TracesParts, of: Traced) {
    this.#parts = parts;
    this.#of = of;
    this.id = of.traceId;
    this.#server = mintSpanId(parts.random);
    this.#stage = { name: 'authenticate', start: of.call.arrived };
  }

  enter(name: Stage): void {
    this.#stage = { name, start: this.#leave() };
  }

  attempt(): string {
    this.#leave();
    this.#attempt = mintSpanId(this.#parts.random);
    return sampledTraceparent(this.id, this.#attempt);
  }

  attempted({ id: worker }: Worker, { begunAt, firstByteAt }: Heard, how: AttemptEnd): void {
    const endedAt = this.#parts.clock.monotonic();
    this.#attempts.push({ id: this.#attempt, worker, begunAt, firstByteAt, endedAt, how });
  }

  ended(usage: Usage): void {
    this.#end(usage.model, usage.status, usage.error, {
      'gen_ai.response.id': usage.completionId,
      'gen_ai.response.model': usage.model,
      'gen_ai.response.finish_reasons': usage.finishReason === null ? null : [usage.finishReason],
      'gen_ai.response.time_to_first_chunk': usage.ttftMs === null ? null : usage.ttftMs / 1_000,
      'gen_ai.usage.input_tokens': usage.promptTokens,
      'gen_ai.usage.output_tokens': usage.completionTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
      'penstock.worker': usage.agent === null ? null : `${usage.agent}/${usage.worker}`,
    });
  }

  notAdmitted({ status, error, model }: NotAdmitted): void {
    this.#end(model, status, error, {});
  }

  /** Ends the stage that is under way, if there is one. Returns the time. */
  #leave(): number {
    const end = this.#parts.clock.monotonic();
    if (this.#stage !== null) this.#stages.push({ ...this.#stage, end });
    this.#stage = null;
    return end;
  }

  #end(model: string | null, status: number, error: string | null, more: SpanAttributes): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const end = this.#leave();
    const { call, api, caller, parent } = this.#of;
    const path = PATHS.get(api) ?? '';
    const server = this.#span({
      id: this.#server,
      parent,
      isParentRemote: true,
      name: `POST ${path}`,
      kind: 'server',
      start: call.arrived,
      end,
      attributes: {
        'http.request.method': 'POST',
        'http.route': path,
        'http.response.status_code': status,
        ...inferenceAttributes(api, model),
        'penstock.request.id': call.id,
        'penstock.organization.id': caller.organization,
        'penstock.key.id': caller.key,
        'penstock.region': call.region,
        'penstock.attempts': this.#attempts.length,
        'penstock.error.code': error,
        ...more,
      },
      // As the conventions for HTTP say: a fault of the client is no error of the server.
      error: status >= SERVER_ERROR_MIN ? error : null,
    });
    const stages = this.#stages.map((stage) => this.#span({ ...stage, parent: this.#server }));
    const attempts = this.#attempts.flatMap((attempt, nth) => this.#spansOf(attempt, nth, model));
    this.#parts.sink.add([server, ...stages, ...attempts]);
  }

  #spansOf(attempt: Attempted, nth: number, model: string | null): Span[] {
    const { id, worker, begunAt, firstByteAt, endedAt, how } = attempt;
    const { api } = this.#of;
    const { counts } = how;
    const whole = this.#span({
      id,
      parent: this.#server,
      name: `${GEN_AI_OPERATIONS[ENDPOINTS[api]]} ${model}`,
      kind: 'client',
      start: begunAt,
      end: endedAt,
      events: firstByteAt === null ? [] : [{ name: 'first_token', at: this.#wall(firstByteAt) }],
      attributes: {
        ...inferenceAttributes(api, model),
        'gen_ai.usage.input_tokens': counts?.prompt ?? null,
        'gen_ai.usage.output_tokens': counts?.completion ?? null,
        'penstock.attempt': nth + 1,
        'penstock.attempt.outcome': how.kind,
        'penstock.worker': worker,
      },
      error: how.kind === 'failed' ? (how.refusal?.code ?? null) : null,
    });
    if (firstByteAt === null) return [whole];
    return [whole, this.#span({ name: 'relay', parent: id, start: firstByteAt, end: endedAt })];
  }

  /** `start` and `end` are monotonic. */
  #span(
    span: Pick<Span, 'name' | 'parent' | 'start' | 'end'> & Partial<Omit<Span, 'traceId'>>,
  ): Span {
    return {
      traceId: this.id,
      id: mintSpanId(this.#parts.random),
      kind: 'internal',
      isParentRemote: false,
      attributes: {},
      events: [],
      error: null,
      ...span,
      start: this.#wall(span.start),
      end: this.#wall(span.end),
    };
  }

  #wall(monotonic: number): number {
    const { created, arrived } = this.#of.call;
    return created + (monotonic - arrived);
  }
}

function inferenceAttributes(api: Api, model: string | null): SpanAttributes {
  return {
    'gen_ai.operation.name': GEN_AI_OPERATIONS[ENDPOINTS[api]],
    'gen_ai.provider.name': 'penstock',
    'gen_ai.request.model': model,
  };
}
