/** Credit that runs out, keys that are revoked, and prices that change, on a real `penstock up`. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../agent/simulator/main.ts';
import { systemClock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

let up: Up;
let catalog: string;
let engine: Simulator;
beforeAll(async () => {
  // A copy, which a test edits while it is in use.
  catalog = join(await mkdtemp(join(tmpdir(), 'penstock-catalog-')), 'catalog.yaml');
  await writeFile(catalog, await readFile('configs/catalog.yaml'));
  // Ten times as fast as the embedded engine, because using up the credit takes many tokens.
  engine = await startSimulator(
    { catalog, port: 0, tokenMs: 1, logLevel: 'silent' },
    { clock: systemClock, random: systemRandom, log: makeLog('sim', 'silent') },
  );
  up = await Up.start(['--catalog', catalog, '--engine', engine.url]);
});
afterAll(async () => {
  await up[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

/** Creates an organization with this much credit, and a key for it. */
async function customer(usd: string): Promise<{ id: string; key: string; keyId: string }> {
  const made = await up.customer(`With ${usd}`);
  const less = (Number(usd) - 5).toFixed(6);
  await up.admin(
    'credit',
    'adjust',
    '--organization',
    made.id,
    '--amount',
    less,
    '--reason',
    'test',
  );
  return made;
}

const ask = (key: string, content: string, fields: object = {}) =>
  up.post(
    '/chat/completions',
    {
      model: MODEL,
      messages: [{ role: 'user', content }],
      stream: true,
      stream_options: { include_usage: true },
      ...fields,
    },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );

test('a new organization has its USD 5 welcome credit', async () => {
  const { id } = await up.admin<{ id: string }>('organization', 'create', '--name', 'New');
  expect(await up.credit(id)).toMatchObject({ balance: '5', held: '0', available: '5' });
});

test('MONEY 7, 8: when credit runs out an answer ends with length at the paid token, and the next gets 402', async () => {
  // 2,048 tokens of output cost USD 0.0012288, so this pays for the first slice and a part of the
  // next.
  const { id, key } = await customer('0.0015');
  const seen = await readStream(await ask(key, 'Write exactly 6000 tokens.'));
  expect(seen.done).toBe(true);
  expect(seen.finish).toBe('length');
  const tokens = seen.usage?.completion_tokens ?? 0;
  expect(tokens).toBeGreaterThan(2_048);
  expect(tokens).toBeLessThan(2_500);
  const { balance, held } = await up.credit(id);
  expect(held).toBe('0');
  expect(Number(balance)).toBeGreaterThanOrEqual(0);
  // A chunk of several tokens that crosses the grant is withheld as a whole.
  expect(Number(balance)).toBeLessThan(0.000003);

  const response = await ask(key, 'Say yes.');
  expect(response.status).toBe(402);
  const { error } = (await response.json()) as { error: { code: string } };
  expect(error.code).toBe('insufficient_credit');

  await up.admin('credit', 'adjust', '--organization', id, '--amount', '1', '--reason', 'top-up');
  expect((await ask(key, 'Say yes.', { max_tokens: 3 })).status).toBe(200);
});

test('MONEY 4: concurrent requests cannot take a balance below zero', async () => {
  const { id, key } = await customer('0.01');
  let lowest = Number.POSITIVE_INFINITY;
  let done = false;
  const watching = (async () => {
    while (!done) lowest = Math.min(lowest, Number((await up.credit(id)).balance));
  })();
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const response = await ask(key, 'Write exactly 5000 tokens.', { max_tokens: 5_000 });
      if (response.status !== 200) return response.status;
      const seen = await readStream(response);
      expect(seen.done).toBe(true);
      return seen.finish;
    }),
  );
  done = true;
  await watching;
  expect(new Set(answers)).toContain(402);
  expect(answers.some((answer) => answer === 'length' || answer === 'stop')).toBe(true);
  expect(lowest).toBeGreaterThanOrEqual(0);
  const { balance, held } = await up.credit(id);
  expect(held).toBe('0');
  expect(Number(balance)).toBeLessThan(0.0013);
  expect((await up.verify()).status).toBe(0);
});

test('MONEY 11: a revoked key gets 401 with the next request, while another key goes on', async () => {
  const { id, key, keyId } = await customer('1');
  const other = await up.admin<{ key: string }>(
    'key',
    'create',
    '--organization',
    id,
    '--name',
    'other',
  );
  expect((await ask(key, 'Say yes.', { max_tokens: 3 })).status).toBe(200);
  await up.admin('key', 'revoke', '--organization', id, '--key', keyId);
  expect((await ask(key, 'Say yes.', { max_tokens: 3 })).status).toBe(401);
  expect((await ask(other.key, 'Say yes.', { max_tokens: 3 })).status).toBe(200);
  await up.admin('key', 'delete', '--organization', id, '--key', keyId);
  const keys = await up.admin<{ id: string }[]>('key', 'list', '--organization', id);
  expect(JSON.stringify(keys)).not.toContain(keyId);
  const rows = await up.usage(id);
  expect(rows.filter((row) => row.key_id === keyId).length).toBe(1);
});

test('MONEY 5: an edited catalog is served without a restart, and a bad edit changes nothing', async () => {
  const { id, key } = await customer('1');
  const good = await readFile(catalog, 'utf8');
  const names = async () => {
    const response = await fetch(`${up.ready.base_url}/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  await writeFile(catalog, good.replace('name: Kimi K2.5', 'name: [oops'));
  await until(() => up.output.includes('catalog was rejected'), 'the refusal in the log');
  expect(await names()).toContain('Kimi K2.5');
  await writeFile(
    catalog,
    good.replace('name: Kimi K2.5', 'name: Kimi, renamed').replace('"0.0000002"', '"0.0000004"'),
  );
  await until(async () => (await names()).includes('Kimi, renamed'), 'the new name');
  const seen = await readStream(await ask(key, 'Say yes.', { max_tokens: 3 }));
  const mine = (await up.usage(id)).find(({ request_id }) => request_id === seen.requestId);
  const used = seen.usage;
  expect(Number(mine?.cost)).toBeCloseTo(
    ((used?.prompt_tokens ?? 0) * 400_000 + (used?.completion_tokens ?? 0) * 600_000) / 1e12,
    12,
  );
});

test('SIGTERM finishes what runs', async () => {
  const { key } = await customer('1');
  const response = await ask(key, 'Write exactly 1500 tokens.');
  const reading = readStream(response);
  const stopped = up.stop();
  const seen = await reading;
  expect(seen.done).toBe(true);
  expect(seen.usage?.completion_tokens).toBe(1500);
  expect(await stopped).toBe(0);
});
