/**
 * One attempt at a request, as opened by a router's `open` message. Collects the request body,
 * sends it to the engine, and reports how the attempt ended.
 */
import type { Clock } from '../shared/clock.ts';
import { unreachable } from '../shared/unreachable.ts';
import type { End } from '../shared/wire/end.ts';
import type { Grant, Open } from '../shared/wire/messages.ts';
import { engineBody } from './engine/body.ts';
import type { Counts } from './engine/counts.ts';
import type { Engine } from './engine/engine.ts';
import { isObject, type JsonObject } from './engine/json.ts';
import type { ServedModel } from './engine/models.ts';
import { planThinking } from './engine/reasoning.ts';
import { EngineStream } from './engine/stream.ts';
import type { Records } from './outbox.ts';
import type { RequestLog } from './request-log.ts';
import type { RequestMeter, RequestStatus } from './request-metrics.ts';
import type { AttemptTrace, AttemptTraces } from './traces.ts';

export type AttemptParts = Readonly<{
  open: Open;
  model: ServedModel;
  /** The engine that runs the request. The caller has already reserved one of its slots. */
  engine: Engine;
  records: Records;
  clock: Clock;
  meter: RequestMeter;
  requestLog: RequestLog;
  /** Null when tracing is off. */
  traces: AttemptTraces | null;
  onOver(): void;
}>;

export class Attempt {
  readonly #parts: AttemptParts;
  readonly #pieces: Buffer[] = [];
  #received = 0;
  #grant: Grant;
  #stream: EngineStream | null = null;
  /** Null when the request is not traced here. */
  readonly #trace: AttemptTrace | null;
  #full = false;
  #over = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.#grant = parts.open.grant;
    this.#trace = parts.traces?.begin(parts.open, parts.engine.name) ?? null;
  }

  /**
   * Adds a piece of the request body. Returns false when the body is longer than `open.bodyBytes`.
   */
  piece(bytes: Buffer): boolean {
    if (this.#over) return true;
    this.#received += bytes.length;
    const { bodyBytes } = this.#parts.open;
    if (this.#received > bodyBytes) return false;
    this.#pieces.push(bytes);
    if (this.#received === bodyBytes) this.#start();
    return true;
  }

  grant(grant: Grant): void {
    this.#grant = grant;
    this.#stream?.grant(grant);
  }

  /**
   * Pauses the answer while the link's send buffer is full (`full` is true), and resumes it after.
   */
  hold(full: boolean): void {
    this.#full = full;
    this.#stream?.hold(full);
  }

  cancel(): void {
    if (this.#over) return;
    if (this.#stream) this.#stream.cancel();
    else this.#endEarly({ outcome: 'cancelled', accepted: false });
  }

  /** Stops the engine without writing an END record, because the session is gone. */
  abort(): void {
    if (this.#over) return;
    if (this.#stream) this.#stream.abort();
    else this.#finish(null, null);
  }

  #start(): void {
    const { open, engine, records, clock, meter, model } = this.#parts;
    const client = parseBody(this.#pieces.splice(0));
    if (!client) return this.#endEarly({ outcome: 'failed', reason: 'bad_request' });
    const { dialect } = engine.profile;
    const plan = planThinking(client['reasoning'], model.model.thinking, dialect.thinking);
    const id = engineRequestId(open.completionId);
    const body = engineBody({ open, client, model, id, dialect, thinking: plan.fields });
    this.#stream = new EngineStream({
      stream: open.stream,
      grant: this.#grant,
      streamed: open.streamed,
      isChat: open.endpoint === 'chat',
      strip: plan.strip,
      topLogprobs: open.topLogprobs ?? null,
      engine,
      id,
      thinks: model.model.thinking !== null && open.endpoint === 'chat',
      stops: [client['stop']].flat(),
      shorterContext: model.contextLength < model.model.contextLength ? model.contextLength : null,
      traceparent: this.#trace?.call() ?? open.traceparent,
      records,
      clock,
      meter,
      onOver: (end, counts) => this.#finish(end, counts),
    });
    if (this.#full) this.#stream.hold(true);
    this.#stream.start(open.endpoint, body);
  }

  /** Ends an attempt that was never sent to the engine. */
  #endEarly(end: End): void {
    this.#parts.records.end(this.#parts.open.stream, 0, 0, end);
    this.#finish(end, null);
  }

  #finish(end: End | null, counts: Counts | null): void {
    this.#over = true;
    this.#pieces.length = 0;
    const { open, engine, clock, meter, requestLog, onOver } = this.#parts;
    engine.free();
    const [status, now] = [statusOf(end), clock.monotonic()];
    meter.over(status, now, counts);
    requestLog.ended(open, status, { meter, counts, now });
    this.#trace?.ended(status, { meter, counts, now });
    onOver();
  }
}

function parseBody(pieces: readonly Buffer[]): JsonObject | null {
  try {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

/**
 * Returns the completion id without its prefix, which the engine adds again. Characters other than
 * letters, digits, `_`, `.` and `-` become `_`, so that the id is valid in a header.
 */
function engineRequestId(completionId: string): string {
  return completionId.replace(/^(?:chatcmpl-|cmpl-|resp_|msg_)/, '').replace(/[^\w.-]/g, '_');
}

function statusOf(end: End | null): RequestStatus {
  if (!end) return 'lost';
  switch (end.outcome) {
    case 'finished':
      return end.finish;
    case 'failed':
      return end.reason;
    case 'cancelled':
      return 'cancelled';
    default:
      return unreachable(end);
  }
}
