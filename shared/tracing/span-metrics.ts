/** The metrics of an exporter of spans. */
import { Counter, type Registry } from 'prom-client';

export type SpanCounts = Readonly<{
  exported(spans: number): void;
  /** `queue_full`: there was no room. `export_failed`: the receiver did not take them. */
  dropped(spans: number, reason: 'queue_full' | 'export_failed'): void;
}>;

/** `prefix`: of the names of all metrics of the process. */
export function spanCounts(registry: Registry, prefix: string): SpanCounts {
  const registers = [registry];
  const exported = new Counter({
    name: `${prefix}_spans_exported_total`,
    help: 'Spans that the OTLP receiver has taken.',
    registers,
  });
  const dropped = new Counter({
    name: `${prefix}_spans_dropped_total`,
    help: 'Spans that were dropped, because the queue was full or the OTLP receiver did not take them.',
    labelNames: ['reason'] as const,
    registers,
  });
  for (const reason of ['queue_full', 'export_failed'] as const) dropped.inc({ reason }, 0);
  return {
    exported: (spans) => exported.inc(spans),
    dropped: (spans, reason) => dropped.inc({ reason }, spans),
  };
}
