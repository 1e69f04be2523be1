/**
 * Writes metrics pages, in the text format of Prometheus or in OpenMetrics, which alone has
 * exemplars. prom-client cannot write one registry in both formats, and drops exemplars when it
 * merges the pages of several processes.
 */
import type { Registry } from 'prom-client';

/** A time series, as `getMetricsAsJSON` of prom-client returns it. */
export type Sample = Readonly<{
  /** Differs from the name of the metric for the series of histograms and summaries. */
  metricName?: string;
  labels: Readonly<Record<string, string | number>>;
  value: number;
  exemplar?: Readonly<{
    labelSet: Readonly<Record<string, string | number>>;
    value: number;
    timestamp: number;
  }>;
}>;

/** A metric with its time series. */
export type Family = Readonly<{
  name: string;
  help: string;
  type: string;
  values: readonly Sample[];
}>;

/** The metrics of one process. */
export type MetricsPage = readonly Family[];

export type Format = 'prometheus' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** OpenMetrics in a header `Accept`, unless its weight is zero, which refuses it. */
const WANTS_OPENMETRICS = /application\/openmetrics-text(?![^,]*;\s*q=0(?:\.0*)?\s*(?:[;,]|$))/;

/** The format for a client with this header `Accept`. Prometheus prefers OpenMetrics. */
export function formatFor(accept: string | undefined): Format {
  return WANTS_OPENMETRICS.test(accept ?? '') ? 'openmetrics' : 'prometheus';
}

export async function pageOf(registry: Registry): Promise<MetricsPage> {
  // Its types say that the type of a metric is a number, and lack exemplars.
  return (await registry.getMetricsAsJSON()) as unknown as MetricsPage;
}

/** Writes pages as one. A metric that several pages have is described once. */
export function writePages(pages: readonly MetricsPage[], format: Format): string {
  const lines: string[] = [];
  for (const [name, families] of Map.groupBy(pages.flat(), (family) => family.name)) {
    const [{ help, type }] = families as [Family];
    const isCounter = type === 'counter';
    // In OpenMetrics, only the series of a counter have the suffix.
    const family = format === 'openmetrics' && isCounter ? name.replace(/_total$/, '') : name;
    lines.push(`# HELP ${family} ${escaped(help, format === 'openmetrics')}`);
    lines.push(`# TYPE ${family} ${type}`);
    for (const { values } of families) {
      for (const sample of values) lines.push(lineOf(sample, name, format));
    }
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function lineOf(sample: Sample, name: string, format: Format): string {
  const { metricName = name, labels, value, exemplar } = sample;
  const line = `${metricName}${labelsOf(labels)} ${numberOf(value)}`;
  if (!exemplar || format === 'prometheus') return line;
  const { labelSet, value: observed, timestamp } = exemplar;
  return `${line} # ${labelsOf(labelSet)} ${numberOf(observed)} ${timestamp}`;
}

function labelsOf(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(String(value), true)}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function numberOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

function escaped(text: string, isQuoted: boolean): string {
  const lines = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return isQuoted ? lines.replaceAll('"', '\\"') : lines;
}
