/**
 * Two workers, one of which fails: before the first byte the other one takes over, unnoticed by the
 * client.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readyWorkers, type SecondHost, startSecondHost } from '../support/second-host.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

let up: Up;
let second: SecondHost;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  up = parts.use(await Up.start());
  second = parts.use(await startSecondHost(up));
});
afterAll(() => parts.disposeAsync());
beforeEach(() => second.setFaults({}));

const ask = (fields: object = {}) =>
  up.post('/chat/completions', {
    model: MODEL,
    messages: [{ role: 'user', content: 'Write 10 words.' }],
    stream: true,
    ...fields,
  });

test.each(['http_500', 'http_503', 'death', 'eof', 'reset', 'error_event'])(
  'a worker that fails by %s before the first byte is replaced',
  async (kind) => {
    await second.setFaults({ [kind]: { after_tokens: 0 } });
    const answers: Awaited<ReturnType<typeof readStream>>[] = [];
    // The router chooses the workers, so that twenty requests may all go to the first one.
    await until(async () => {
      answers.push(
        ...(await Promise.all(Array.from({ length: 20 }, async () => readStream(await ask())))),
      );
      return (await second.taken(kind)) > 0;
    }, 'a request that the second worker fails');
    expect(answers.map(({ status, done }) => ({ status, done }))).toEqual(
      answers.map(() => ({ status: 200, done: true })),
    );
    await second.setFaults({});
    await until(async () => {
      // A worker that has failed comes back through answers that succeed.
      await readStream(await ask());
      const back = (await readyWorkers(up)).filter(({ breaker }) => breaker === 'closed');
      return back.length === 2;
    }, 'both workers with all of their slots');
    const rows = await up.usage();
    for (const { requestId } of answers) {
      expect(rows.filter((row) => row.request_id === requestId)).toHaveLength(1);
    }
  },
);

test('a whole answer, too, comes from another worker when the first one breaks off', async () => {
  await second.setFaults({ eof: { after_tokens: 5 } });
  const statuses: number[] = [];
  await until(async () => {
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, async () => (await ask({ stream: false })).status),
      )),
    );
    return (await second.taken('eof')) > 0;
  }, 'an answer that the second worker breaks off');
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('what the request itself is to blame for is tried on no other worker', async () => {
  const response = await ask({
    messages: [{ role: 'user', content: 'word '.repeat(250_000) }],
    max_tokens: 65_000,
  });
  expect(response.status).toBe(400);
});

test('drained workers take nothing new, and a model without workers is a 503 that says when to retry', async () => {
  const drain = (id: string) => up.admin('worker', 'drain', '--worker', id);
  const workers = await readyWorkers(up);
  const [running] = await Promise.all([
    readStream(await ask({ messages: [{ role: 'user', content: 'Write 80 words.' }] })),
    ...workers.map(({ id }) => drain(id)),
  ]);
  expect(running.done).toBe(true);
  const response = await ask();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(((await response.json()) as { error: { code: string } }).error.code).toBe('no_worker');

  await Promise.all(workers.map(({ id }) => up.admin('worker', 'undrain', '--worker', id)));
  await until(async () => (await ask({ stream: false })).status === 200, 'an answer again');
});
