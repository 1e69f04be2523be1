/** The exporter of spans, with a receiver that may be slow or out of reach. */
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { OtlpExporter, SPANS_WAITING_MAX } from '../../../shared/tracing/exporter.ts';
import type { Span } from '../../../shared/tracing/span.ts';
import { spanCounts } from '../../../shared/tracing/span-metrics.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { OtlpReceiver } from '../../support/otlp-receiver.ts';

const SPAN: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  id: 'b7ad6b7169203331',
  parent: null,
  isParentRemote: false,
  name: 'read',
  kind: 'internal',
  start: 1_700_000_000_000.25,
  end: 1_700_000_000_001.5,
  attributes: { 'penstock.region': 'eu', left: null },
  events: [{ name: 'first_token', at: 1_700_000_000_001 }],
  error: 'engine_failed',
};

function openExporter(endpoint: string, clock = systemClock) {
  const lines: { msg: string }[] = [];
  const registry = new Registry();
  const write = (text: string) => void lines.push(JSON.parse(text) as { msg: string });
  const exporter = new OtlpExporter(
    { endpoint, headers: { 'x-api-key': 'of the receiver' } },
    {
      service: 'penstock-test',
      instance: 'i',
      clock,
      log: makeLog('test', 'info', { write }),
      counts: spanCounts(registry, 'test'),
    },
  );
  return { exporter, lines, metrics: () => registry.metrics() };
}

test('a span arrives with its times, its attributes and the name of the service', async () => {
  await using receiver = await OtlpReceiver.start();
  const { exporter, metrics } = openExporter(receiver.url);
  exporter.add([SPAN]);
  await exporter[Symbol.asyncDispose]();
  expect(receiver.headers['x-api-key']).toBe('of the receiver');
  expect(receiver.spans).toEqual([
    {
      service: 'penstock-test',
      traceId: SPAN.traceId,
      id: SPAN.id,
      parent: '',
      name: 'read',
      kind: 1,
      startNs: 1_700_000_000_000_250_000n,
      endNs: 1_700_000_000_001_500_000n,
      attributes: { 'penstock.region': 'eu', 'error.type': 'engine_failed' },
      events: ['first_token'],
      status: 2,
    },
  ]);
  expect(await metrics()).toContain('test_spans_exported_total 1');
});

test('what a receiver refuses is dropped and counted, and logged once', async () => {
  await using receiver = await OtlpReceiver.start();
  receiver.status = 400;
  const { exporter, lines, metrics } = openExporter(receiver.url);
  for (const sent of [1, 2]) {
    exporter.add([SPAN]);
    await vi.waitFor(() => expect(receiver.bodies.length).toBe(sent), 10_000);
    const dropped = `test_spans_dropped_total{reason="export_failed"} ${sent}`;
    await vi.waitFor(async () => expect(await metrics()).toContain(dropped), 10_000);
  }
  expect(lines.map(({ msg }) => msg)).toEqual(['spans could not be sent and were dropped']);
  receiver.status = 200;
  exporter.add([SPAN]);
  await exporter[Symbol.asyncDispose]();
  expect(lines.at(-1)?.msg).toBe('spans are sent again');
});

test('more spans than may wait are dropped and counted, and the end does not wait for a receiver that does not answer', async () => {
  await using receiver = await OtlpReceiver.start();
  receiver.status = null;
  const clock = new ManualClock();
  const { exporter, metrics } = openExporter(receiver.url, clock);
  for (let spans = 0; spans < SPANS_WAITING_MAX; spans++) exporter.add([SPAN]);
  exporter.add([SPAN, SPAN]);
  expect(await metrics()).toContain('test_spans_dropped_total{reason="queue_full"} 2');
  const ended = exporter[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(receiver.bodies.length).toBeGreaterThan(0), 10_000);
  clock.advance(5_000);
  await ended;
});

test('spans whose receiver does not end its answer are dropped, counted and logged', async () => {
  await using receiver = await OtlpReceiver.start();
  receiver.status = null;
  const clock = new ManualClock();
  const { exporter, lines, metrics } = openExporter(receiver.url, clock);
  exporter.add([SPAN]);
  await vi.waitFor(() => expect(receiver.bodies.length).toBe(1), 10_000);
  clock.advance(10_000);
  expect(await metrics()).toContain('test_spans_dropped_total{reason="export_failed"} 1');
  expect(lines.map(({ msg }) => msg)).toEqual(['spans could not be sent and were dropped']);
  const ended = exporter[Symbol.asyncDispose]();
  clock.advance(5_000);
  await ended;
});
