/** The log has one line for each request, when it ends. */
import { expect, test } from 'vitest';
import { makeLog } from '../../../shared/log.ts';
import { formatUsd } from '../../../shared/money.ts';
import { limits } from '../../../shared/limits.ts';
import { readStream } from '../../support/sse.ts';
import { RequestRig } from './rig.ts';

const RICH = 10n ** 15n;
const SECRET = 'the-words-of-a-prompt';

type Line = Readonly<Record<string, unknown>>;

async function start() {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  const rig = await RequestRig.start({}, undefined, makeLog('test', 'info', { write }));
  return { rig, lines, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

test('a request that is served has a line with the figures of its usage row and its charge', async () => {
  await using started = await start();
  const { rig, lines } = started;
  const customer = await rig.customer(RICH);
  const messages = [{ role: 'user', content: SECRET }];
  const { stream, seen } = await rig.begin(customer, { messages });
  stream.content(20, 3);
  stream.finish(20, 3);
  const { usage } = await seen;
  const [row] = await rig.rows(customer.organization);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request ended',
      request: row?.request,
      organization: customer.organization,
      key: customer.key,
      region: 'global',
      streamed: true,
      attempts: 1,
      failedAttempts: [],
      status: 200,
      error: null,
      finishReason: 'stop',
      promptTokens: (usage as { prompt_tokens: number }).prompt_tokens,
      completionTokens: 3,
      costUsd: formatUsd(row?.cost as never),
    }),
  ]);
  const text = JSON.stringify(lines);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(customer.value);
});

test('a request that fails names the attempts that failed, with their workers', async () => {
  await using started = await start();
  const { rig, lines } = started;
  const { stream, seen } = await rig.begin(await rig.customer(RICH));
  stream.fail();
  await seen;
  await rig.ended();
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request ended',
      attempts: 1,
      failedAttempts: [
        {
          worker: expect.any(String),
          error: 'engine_failed',
          afterMs: expect.any(Number),
          durationMs: expect.any(Number),
        },
      ],
      status: 502,
      error: 'engine_failed',
      costUsd: null,
    }),
  ]);
  const [line] = lines as [{ worker: string; failedAttempts: [{ worker: string }] }];
  expect(line.failedAttempts[0].worker).toBe(line.worker);
});

test('a client that leaves has a line with status 499, and what was charged', async () => {
  await using started = await start();
  const { rig, lines } = started;
  const begun = await rig.begin(await rig.customer(RICH));
  begun.stream.content(20, 3);
  await begun.response;
  begun.leave();
  await rig.until(() => begun.stream.isCancelled);
  begun.stream.stop(20, 3);
  await rig.ended();
  expect(lines).toMatchObject([{ status: 499, error: null, completionTokens: 3 }]);
  expect(Number(lines[0]?.['costUsd'])).toBeGreaterThan(0);
});

test('refusals have lines within a rate for each organization, and strangers have none', async () => {
  await using started = await start();
  const { rig, lines } = started;
  const [poor, other] = [await rig.customer(0n), await rig.customer(0n)];
  await readStream(await rig.post({ ...poor, value: `${poor.value}x` }));
  expect(lines).toEqual([]);
  const { burst } = limits.refusalsLogged.peer;
  for (let n = 0; n < burst + 5; n++) await rig.refused(poor);
  expect(lines).toHaveLength(burst);
  expect(lines[0]).toMatchObject({ msg: 'request refused', key: poor.key, status: 402 });
  await rig.refused(other);
  expect(lines.at(-1)).toMatchObject({ organization: other.organization, unlogged: 5 });
});

test('the setting leaves out the lines of complete answers, or all', async () => {
  await using started = await start();
  const { rig, lines } = started;
  const customer = await rig.customer(RICH);
  const serve = async () => {
    const { stream, seen } = await rig.begin(customer);
    stream.finish(20, 3);
    await seen;
    await rig.ended();
  };
  rig.requestLog = 'failures';
  await serve();
  expect(lines).toEqual([]);
  await rig.refused(await rig.customer(0n));
  expect(lines).toHaveLength(1);
  rig.requestLog = 'none';
  await serve();
  await rig.refused(await rig.customer(0n));
  expect(lines).toHaveLength(1);
});
