/** The first release and this one at the two ends of a link. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { CallOptions } from '../support/client-log.ts';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { unpackFirstRelease } from './first-release.ts';

const STOP_MS_MAX = 60_000;

let first: Awaited<ReturnType<typeof unpackFirstRelease>>;
beforeAll(async () => {
  first = await unpackFirstRelease();
});
afterAll(() => first[Symbol.asyncDispose]());

test.each([
  ['a new agent', 'an old router', 'routers'],
  ['an old agent', 'a new router', 'agents'],
] as const)(
  '%s serves %s: streams, counts, cancels and drains',
  {
    timeout: 240_000,
  },
  async (_agent, _router, old) => {
    const programs = { [old]: first.program };
    await using fleet = await Fleet.start({ programs, agents: 2, engines: 2, drainGraceMs: 300 });
    const { key } = await fleet.office.customer('Pair', 100n * PICO_PER_USD);
    const router = fleet.router(0);
    const ask = (prompt: string, more: Partial<CallOptions> = {}) =>
      fleet.log.ask({ base: router.base, key, model: MODEL, maxTokens: 1_000, prompt, ...more });

    const whole = await ask('Write exactly 50 tokens.', { streamed: false });
    expect(whole).toMatchObject({ ending: 'complete', finish: 'stop' });
    expect(whole.usage).toMatchObject({ completion: 50 });
    const counted = await fetch(`${router.base}/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Count this.' }] }),
    });
    expect(counted.headers.get('x-token-count')).toBe('engine');
    expect(((await counted.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(0);

    const leave = new AbortController();
    const left = await ask('Write exactly 900 tokens.', {
      leave: leave.signal,
      onEvent: ({ events }) => {
        if (events === 3) leave.abort();
      },
    });
    expect(left.ending).toBe('left');
    const running = async () => (await fleet.engine(0)).running + (await fleet.engine(1)).running;
    while ((await running()) > 0) await pause(20);

    const started = Promise.withResolvers<void>();
    let begun = 0;
    const streams = Array.from({ length: 8 }, () =>
      ask('Write exactly 150 tokens.', {
        onEvent: ({ events }) => {
          if (events === 1 && ++begun === 8) started.resolve();
        },
      }),
    );
    await started.promise;
    const [drained] = fleet.agents;
    expect(await drained?.stop(STOP_MS_MAX)).toBe(0);
    expect((await Promise.all(streams)).map(({ ending }) => ending)).toEqual(
      Array.from({ length: 8 }, () => 'complete'),
    );

    const late = Promise.withResolvers<void>();
    const last = ask('Write exactly 150 tokens.', { onEvent: () => late.resolve() });
    await late.promise;
    expect(await router.process.stop(STOP_MS_MAX)).toBe(0);
    expect((await last).ending).toBe('complete');
    const { violations } = await fleet.judge({ crashes: false });
    expect(violations).toEqual([]);
  },
);
