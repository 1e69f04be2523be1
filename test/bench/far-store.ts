/**
 * The cost of a long way between a router and its PostgreSQL: the same small requests to a router
 * beside it and to a router with a delay in ms between them. Prints medians, and their difference
 * in round trips.
 */
import { parseArgs } from 'node:util';
import { systemClock as clock } from '../../shared/clock.ts';
import { farStore } from '../support/far-store.ts';
import { startRegionRouters } from '../support/region-routers.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

const { values: flags } = parseArgs({
  options: {
    'round-trip-ms': { type: 'string', default: '80' },
    requests: { type: 'string', default: '30' },
  },
});
const roundTripMs = Number(flags['round-trip-ms']);

await using server = await PostgresServer.create();
const store = await server.database('regions');
await using far = await farStore(store, roundTripMs / 2);
// One host serves both routers, so that they differ only in their way to the store.
await using routers = await startRegionRouters({ global: store, us: far.url, eu: store });

async function once(key: string, origin: string): Promise<{ first: number; last: number }> {
  const started = clock.monotonic();
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'minimax/minimax-m3',
      max_tokens: 8,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const first = clock.monotonic() - started;
  while (!(await reader.read()).done);
  if (response.status !== 200) throw new Error(`the router answers ${response.status}`);
  return { first, last: clock.monotonic() - started };
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function measure(key: string, origin: string) {
  const answers: { first: number; last: number }[] = [];
  for (let i = 0; i < Number(flags.requests); i += 1) answers.push(await once(key, origin));
  // The first request opens connections and fills caches, so it does not count.
  const warm = answers.slice(1);
  return {
    first: median(warm.map(({ first }) => first)),
    last: median(warm.map(({ last }) => last)),
  };
}

const create = ['organization', 'create', '--name', 'us', '--region', 'us'];
const { id } = await routers.admin<{ id: string }>(...create);
const createKey = ['key', 'create', '--name', 'k', '--organization', id];
const { key } = await routers.admin<{ key: string }>(...createKey);
const beside = await measure(routers.first.apiKey, routers.origins.global);
const apart = await measure(key, routers.origins.us);
for (const moment of ['first', 'last'] as const) {
  const more = apart[moment] - beside[moment];
  process.stdout.write(
    `${moment} byte: ${beside[moment].toFixed(1)} ms beside the store, ${apart[moment].toFixed(1)} ms at ` +
      `${roundTripMs} ms: ${(more / roundTripMs).toFixed(2)} round trips\n`,
  );
}
