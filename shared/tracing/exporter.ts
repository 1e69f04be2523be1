/**
 * Sends spans to an OTLP receiver, with the exporter of OpenTelemetry. This file is imported only
 * when tracing is configured, because it loads OpenTelemetry.
 *
 * Spans that wait or are being sent are bounded in number. A receiver that is not reachable costs
 * the spans that it would have got, which are counted, and a line in the log.
 */
import { SpanKind as Kind, SpanStatusCode, TraceFlags, type Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { BUILD } from '../build.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type OtlpSetting, receiverUrl } from './setting.ts';
import type { Span, SpanAttributes, SpanKind, SpanSink } from './span.ts';
import type { SpanCounts } from './span-metrics.ts';

/** The most spans that wait or are being sent. One takes about a kilobyte. */
export const SPANS_WAITING_MAX = 8_192;
const BATCH_SPANS_MAX = 512;
const EXPORT_EVERY_MS = 1_000;
/** How long a batch is tried for, and how long a process that ends waits for the last ones. */
const EXPORT_MS_MAX = 5_000;
/** After this time, the answer of a receiver is not waited for any more. */
const ANSWER_MS_MAX = 2 * EXPORT_MS_MAX;

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const KINDS = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
} as const satisfies Record<SpanKind, Kind>;

export type OtlpExporterParts = Readonly<{
  /** `service.name`, unless OTEL_SERVICE_NAME is set. */
  service: string;
  /** `service.instance.id`. */
  instance: string;
  clock: Clock;
  log: Log;
  counts: SpanCounts;
}>;

export class OtlpExporter implements SpanSink, AsyncDisposable {
  readonly #parts: OtlpExporterParts;
  readonly #resource: Resource;
  readonly #processor: BatchSpanProcessor;
  readonly #scope;
  #waiting = 0;
  #isFailing = false;

  constructor(setting: OtlpSetting, parts: OtlpExporterParts) {
    this.#parts = parts;
    const { service, instance } = parts;
    const { version } = BUILD;
    this.#resource = resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': instance,
    }).merge(detectResources({ detectors: [envDetector] }));
    this.#scope = { name: 'penstock', version };
    const url = receiverUrl(setting);
    const exporter = new OTLPTraceExporter({
      ...(url !== undefined && { url }),
      ...(setting.headers && { headers: setting.headers }),
      timeoutMillis: EXPORT_MS_MAX,
    });
    this.#processor = new BatchSpanProcessor({
      exporter: this.#counted(exporter),
      maxQueueSize: SPANS_WAITING_MAX,
      maxExportBatchSize: BATCH_SPANS_MAX,
      scheduledDelayMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: ANSWER_MS_MAX,
    });
  }

  /** Spans of one process and one request. Either all of them are kept, or none is. */
  add(spans: readonly Span[]): void {
    if (this.#waiting + spans.length > SPANS_WAITING_MAX) {
      return this.#parts.counts.dropped(spans.length, 'queue_full');
    }
    this.#waiting += spans.length;
    for (const span of spans) this.#processor.onEnd(this.#readable(span));
  }

  /** Sends what waits, for at most `EXPORT_MS_MAX`. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = this.#parts.clock.after(EXPORT_MS_MAX, late.resolve, 'hold');
    await Promise.race([this.#processor.shutdown().catch(() => {}), late.promise]);
    timer.cancel();
  }

  #counted(exporter: SpanExporter): SpanExporter {
    const { clock, counts } = this.#parts;
    return {
      export: (spans, done) => {
        let isOver = false;
        const over = (result: ExportResult) => {
          if (isOver) return;
          isOver = true;
          late.cancel();
          this.#waiting -= spans.length;
          if (result.error) counts.dropped(spans.length, 'export_failed');
          else counts.exported(spans.length);
          this.#tell(result.error ?? null);
          done(result);
        };
        // The exporter itself waits for as long as a receiver goes on to send its answer.
        const late = clock.after(ANSWER_MS_MAX, () => over({ code: 1, error: unanswered() }));
        exporter.export(spans, over);
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  /** Logs only that exports begin to fail, and that they work again. */
  #tell(error: Error | null): void {
    const { log } = this.#parts;
    const isFailing = error !== null;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) log.warn({ err: error }, 'spans could not be sent and were dropped');
    else log.info('spans are sent again');
  }

  #readable(span: Span): ReadableSpan {
    const { traceId, parent, isParentRemote, error } = span;
    const context = (spanId: string, isRemote: boolean) => ({
      traceId,
      spanId,
      isRemote,
      traceFlags: TraceFlags.SAMPLED,
    });
    const own = context(span.id, false);
    return {
      name: span.name,
      kind: KINDS[span.kind],
      spanContext: () => own,
      ...(parent !== null && { parentSpanContext: context(parent, isParentRemote) }),
      startTime: hrTime(span.start),
      endTime: hrTime(span.end),
      duration: hrTime(span.end - span.start),
      ended: true,
      status:
        error === null
          ? { code: SpanStatusCode.UNSET }
          : { code: SpanStatusCode.ERROR, message: error },
      attributes: present({ ...span.attributes, 'error.type': error }),
      events: span.events.map(({ name, at }) => ({ name, time: hrTime(at) })),
      links: [],
      resource: this.#resource,
      instrumentationScope: this.#scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

function unanswered(): Error {
  return new Error(`the receiver did not end its answer within ${ANSWER_MS_MAX} ms`);
}

function present(attributes: SpanAttributes): Attributes {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== null);
  return Object.fromEntries(pairs);
}

function hrTime(ms: number): [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1e6)];
}
