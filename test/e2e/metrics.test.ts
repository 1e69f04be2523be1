/** The metrics pages of real processes, as Prometheus reads them. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { faultsOf, HAS_PROMTOOL } from '../support/promtool.ts';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';

const OPENMETRICS = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({ processes: 2, agents: 1 });
  const { base } = fleet.router(0);
  const { key } = await fleet.office.customer('Metrics', PICO_PER_USD);
  const prompt = 'Write exactly 5 tokens.';
  for (let n = 0; n < 4; n++) {
    const call = await fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 10 });
    expect(call.ending).toBe('complete');
  }
  const headers = { authorization: `Bearer ${key.slice(0, -1)}` };
  expect((await fetch(`${base}/models`, { headers })).status).toBe(401);
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

function urls(): readonly string[] {
  return [fleet.router(0).metricsUrl, ...fleet.agentMetricsUrls];
}

async function pageOf(url: string, accept = 'text/plain'): Promise<string> {
  return await (await fetch(url, { headers: { accept } })).text();
}

test.skipIf(!HAS_PROMTOOL)(
  'promtool finds nothing wrong with the pages of router and agent (needs the package prometheus)',
  async () => {
    for (const url of urls()) expect(await faultsOf(await pageOf(url))).toBe('');
  },
);

test('docs/metrics.md has every metric of the pages', async () => {
  const text = await readFile('docs/metrics.md', 'utf8');
  for (const url of urls()) {
    const names = [...(await pageOf(url)).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(names).toContain('process_resident_memory_bytes');
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  }
});

test('the pages tell of requests by model, region, and streamed or not', async () => {
  const [router = '', agent = ''] = urls();
  const labels = `model="${MODEL}",region="global",streamed="true"`;
  const page = await pageOf(router);
  const sum = (start: string) =>
    [...page.matchAll(/^(\S+\{.*\}) (\S+)$/gm)]
      .filter(([, series]) => series?.startsWith(start))
      .reduce((total, [, , value]) => total + Number(value), 0);
  expect(sum(`penstock_router_requests_total{${labels},status="200"`)).toBe(4);
  expect(sum(`penstock_router_time_to_first_token_seconds_count{${labels}`)).toBe(4);
  expect(sum('penstock_router_keys_refused_total{region="global",cause="malformed"')).toBe(1);
  expect(sum('penstock_router_store_up')).toBe(2);
  expect(sum(`penstock_router_model_workers_ready{model="${MODEL}"`)).toBe(2);
  expect(sum('penstock_router_link_bytes_total')).toBeGreaterThan(0);
  expect(await pageOf(agent)).toMatch(/^penstock_agent_link_up\{router=".*"\} 1$/m);
});

test('OpenMetrics has exemplars, which name a request', async () => {
  const page = await pageOf(urls()[0] as string, OPENMETRICS);
  expect(page).toMatch(
    /^penstock_router_time_to_first_token_seconds_bucket\{.*\} \d+ # \{request_id="req_\w+"\} [\d.]+ [\d.]+$/m,
  );
  expect(page.endsWith('# EOF\n')).toBe(true);
});
