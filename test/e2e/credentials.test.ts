/**
 * Keys, tokens and the playground's keys on a real `penstock up`: what each gives access to, and
 * that none is ever written to disk.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PAGE = { origin: 'https://console.example' };

let own: string;
beforeAll(() => {
  own = `/organizations/${up.first.organization.id}`;
});

/** Calls the management API with these credentials. Default: the operator of the first run. */
async function manage(
  method: string,
  path: string,
  body?: object,
  bearer = up.first.operator.token,
) {
  const answer = await fetch(`${up.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, body: (await answer.json()) as any };
}

/** Sends a chat request as a page of another origin. */
function chat(bearer: string): Promise<Response> {
  const messages = [{ role: 'user', content: 'Hello.' }];
  return up.post(
    '/chat/completions',
    { model: MODEL, messages, max_tokens: 4 },
    { headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...PAGE } },
  );
}

/** Reads all files below the data folder, including the pepper's file. */
async function written(): Promise<string> {
  const entries = await readdir(up.data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

test('each opens what it is for and nothing else, and is in no log, metric, store or audit line', async () => {
  const key = (await manage('POST', `${own}/keys`, { name: 'app' })).body;
  const token = (await manage('POST', `${own}/tokens`, { name: 'ci', role: 'developer' })).body;
  const play = (await manage('POST', `${own}/playground/session`)).body;
  expect(play.base_url).toBe(up.ready.base_url);

  for (const bearer of [key.key, play.key]) {
    const answer = await chat(bearer);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect((await manage('GET', `${own}/keys`, undefined, bearer)).status).toBe(401);
  }
  expect((await manage('GET', `${own}/keys`, undefined, token.token)).status).toBe(200);
  expect((await chat(token.token)).status).toBe(401);

  const [played, asked] = (await manage('GET', `${own}/usage?limit=2`)).body.data;
  expect(asked).toMatchObject({ key_id: key.id, key_name: 'app', source: 'api' });
  expect(played).toMatchObject({ key_id: play.id, key_name: 'Playground', source: 'playground' });
  const shown = (await manage('GET', `${own}/keys/${key.id}`)).body;
  expect(shown.spend).toEqual({ today: asked.cost, month: asked.cost, total: asked.cost });
  const models = (await manage('GET', `${own}/models`)).body.data;
  expect(models.find((model: { id: string }) => model.id === MODEL).available).toBe(true);

  await manage('POST', `${own}/keys/${key.id}/revoke`);
  await manage('DELETE', `${own}/tokens/${token.id}`);
  await manage('DELETE', `${own}/playground/session`);
  for (const bearer of [key.key, play.key]) {
    await until(async () => (await chat(bearer)).status === 401, 'the key to be refused', 5_000);
  }
  expect((await manage('GET', `${own}/keys`, undefined, token.token)).status).toBe(401);

  const metrics = await up.metrics();
  expect(await up.stop()).toBe(0);
  const everything = [await written(), up.output, metrics].join('\n');
  expect(everything).toContain('token.create');
  for (const secret of [key.key, token.token, play.key]) {
    expect(everything).not.toContain(secret);
    // The secret part alone is not stored, either.
    expect(everything).not.toContain(secret.slice(-34, -6));
  }
});
