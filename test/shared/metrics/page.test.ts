/** Metrics that are plain numbers until they are scraped, and the pages that are made of them. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { formatFor, pageOf, writePages } from '../../../shared/metrics/page.ts';
import { Counters, Histograms } from '../../../shared/metrics/series.ts';

async function pageText(registry: Registry, format: 'prometheus' | 'openmetrics' = 'prometheus') {
  return writePages([await pageOf(registry)], format);
}

test('series that wait for a scrape are on the page as if prom-client had counted', async () => {
  const [own, theirs] = [new Registry(), new Registry()];
  const [name, help, labels] = ['x_total', 'Help \\ "quoted"\n', ['model', 'kind'] as const];
  const counters = new Counters(own, { name, help, labels });
  const counter = new Counter({ name, help, labelNames: labels, registers: [theirs] });
  const buckets = [0.001, 0.0025, 5];
  const [y, model] = ['y_seconds', 'b"\n'];
  const histogram = new Histogram({
    name: y,
    help,
    labelNames: ['model'],
    buckets,
    registers: [theirs],
  });
  const series = new Histograms(own, { name: y, help, labels: ['model'], buckets }).series({
    model,
  });
  const tally = counters.by('kind', { model });
  for (const [kind, count] of [
    ['prompt', 7],
    ['completion', 2],
    ['prompt', 0.5],
  ] as const) {
    tally.add(kind, count);
    counter.inc({ model, kind }, count);
  }
  for (const seconds of [0.001, 0.0011, 4, 9]) {
    series.observe(seconds);
    histogram.observe({ model }, seconds);
  }
  // The order of labels has no meaning.
  const sorted = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) =>
        line.replace(/\{(.*)\}/, (_, pairs: string) => `{${pairs.split(',').toSorted().join()}}`),
      );
  expect(sorted(await pageText(own))).toEqual(sorted(await theirs.metrics()));
});

test('a series that is removed is not on the page', async () => {
  const registry = new Registry();
  const counters = new Counters(registry, { name: 'x_total', help: 'Help', labels: ['a', 'b'] });
  const [kept, removed] = [counters.by('b', { a: '1' }), counters.by('b', { a: '2' })];
  for (const tally of [kept, removed]) for (const value of ['x', 'y']) tally.add(value);
  removed.remove();
  expect((await pageText(registry)).match(/^x_total\{.*/gm)).toEqual([
    'x_total{a="1",b="x"} 1',
    'x_total{a="1",b="y"} 1',
  ]);
});

test('OpenMetrics names the request that a bucket last counted, and the text format does not', async () => {
  const registry = new Registry();
  const config = { name: 'x_seconds', help: 'Help.', labels: [], buckets: [1, 2] };
  const series = new Histograms(registry, { ...config, now: () => 1_500 }).series({});
  series.observeFor('req_1', 0.5);
  series.observeFor('req_2', 0.7);
  series.observeFor('req_3', 9);
  new Counters(registry, { name: 'y_total', help: 'Say "hi".', labels: [] }).series({}).add(3);
  expect(await pageText(registry, 'openmetrics')).toBe(
    `# HELP x_seconds Help.
# TYPE x_seconds histogram
x_seconds_bucket{le="1"} 2 # {request_id="req_2"} 0.7 1.5
x_seconds_bucket{le="2"} 2
x_seconds_bucket{le="+Inf"} 3 # {request_id="req_3"} 9 1.5
x_seconds_sum 10.2
x_seconds_count 3
# HELP y Say \\"hi\\".
# TYPE y counter
y_total 3
# EOF
`,
  );
  expect(await pageText(registry)).not.toContain('req_');
});

test('the pages of several processes are one page, on which each metric is described once', async () => {
  const pages = ['parent', '1'].map((process) => {
    const registry = new Registry();
    registry.setDefaultLabels({ process });
    new Gauge({ name: 'x', help: 'Help', registers: [registry] }).set(2);
    return pageOf(registry);
  });
  expect(writePages(await Promise.all(pages), 'prometheus')).toBe(
    '# HELP x Help\n# TYPE x gauge\nx{process="parent"} 2\nx{process="1"} 2\n',
  );
});

test('a client that accepts OpenMetrics gets it, and any other the text format', () => {
  const prometheus =
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
  expect(formatFor(prometheus)).toBe('openmetrics');
  const openmetrics = 'application/openmetrics-text';
  expect(formatFor(`${openmetrics};q=0.01,text/plain`)).toBe('openmetrics');
  const refused = [`${openmetrics};version=1.0.0;q=0,*/*`, `text/plain,${openmetrics}; q=0.00`];
  for (const accept of ['text/plain', '*/*', undefined, ...refused])
    expect(formatFor(accept)).toBe('prometheus');
});
