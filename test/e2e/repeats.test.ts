/**
 * Requests under an Idempotency-Key, while the whole group of processes is killed: a key is charged
 * once at most, and a repeat is answered or is told which request was charged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { Up } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const KILLS = 3;
const KEYS = 20;

type Told = { status: number; id: string | null; replayed: boolean; code: string | null };

/** Null: the connection broke. */
async function send(up: Up, key: string): Promise<Told | null> {
  try {
    const response = await up.post(
      '/chat/completions',
      { model: MODEL, messages: [{ role: 'user', content: `Write 20 words for ${key}.` }] },
      {
        headers: {
          authorization: `Bearer ${up.first.api_key}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
      },
    );
    const { error } = (await response.json()) as { error?: { code: string } };
    const { status, headers } = response;
    return {
      status,
      id: headers.get('x-request-id'),
      replayed: headers.get('idempotent-replayed') === 'true',
      code: error?.code ?? null,
    };
  } catch {
    return null;
  }
}

test(`MONEY 27: ${KILLS} kills under ${KEYS} keys: each key is charged once at most, and no repeat is charged again`, {
  timeout: 180_000,
}, async () => {
  await using up = await Up.start();
  const answered = new Map<string, string>();
  const lost = new Set<string>();
  let replayed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await up.run();
    const keys = Array.from({ length: KEYS }, (_, index) => `kill ${kill}, ${index}`);
    const asked = Promise.all(keys.map(async (key) => [key, await send(up, key)] as const));
    await pause(400 + kill * 300);
    await up.killAll();
    for (const [key, told] of await asked) {
      if (told?.status === 200) answered.set(key, told.id as string);
    }
    await up.run();
    const tellAgain = async (key: string) => {
      const told = await send(up, key);
      if (told?.status === 400) {
        expect(told.code).toBe('already_answered');
        if (!answered.has(key)) lost.add(key);
      } else {
        expect(told).toMatchObject({ status: 200, replayed: false });
        expect(answered.has(key)).toBe(false);
        answered.set(key, told?.id as string);
        const again = await send(up, key);
        expect(again).toEqual({ ...told, replayed: true });
        replayed += 1;
      }
    };
    await Promise.all(keys.map(tellAgain));
    await up.killAll();
  }
  await up.run();
  const charged = (await up.usage()).filter(({ cost }) => cost !== '0');
  const ids = new Set(charged.map((row) => row.request_id));
  for (const id of answered.values()) expect(ids).toContain(id);
  expect(charged).toHaveLength(answered.size + lost.size);
  expect(answered.size + lost.size).toBe(KILLS * KEYS);
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
  process.stdout.write(
    `${KILLS} kills, ${KILLS * KEYS} keys: ${answered.size} answered once, ${replayed} of them repeated, ` +
      `${lost.size} charged whose answer was lost in a kill; ledger verify clean\n`,
  );
});

test("an OpenAI client that gives up and retries under its own header gets the first request's answer", {
  timeout: 60_000,
}, async () => {
  await using up = await Up.start();
  const client = new OpenAI({ baseURL: up.ready.base_url, apiKey: up.first.api_key });
  const body = {
    model: MODEL,
    messages: [{ role: 'user', content: 'Write 150 words.' }],
  } as const;
  const answer = await client.chat.completions
    .create(
      { ...body, messages: [...body.messages] },
      { headers: { 'Idempotency-Key': 'mine' }, timeout: 500, maxRetries: 30 },
    )
    .withResponse();
  expect(answer.response.headers.get('idempotent-replayed')).toBe('true');
  expect(answer.data.usage?.completion_tokens).toBeGreaterThan(0);
  const rows = await up.usage();
  expect(rows).toMatchObject([{ request_id: answer.request_id, status: 200 }]);
});
