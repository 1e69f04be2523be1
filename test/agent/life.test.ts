/**
 * Whether an engine is alive, and whether it is still the same process, so that its cache is known.
 */
import { describe, expect, test } from 'vitest';
import { compare, type ProcessFingerprint } from '../../agent/engine/process-fingerprint.ts';
import { makeLog } from '../../shared/log.ts';
import { turn } from './support/gate.ts';
import { HELLO, type Rig, startRig } from './support/rig.ts';
import { generates, ScriptedEngine } from './support/scripted-engine.ts';

type Logged = Readonly<{ level: number; why?: string; msg: string }>;

async function pass(rig: Rig, holds: () => boolean, stepMs = 50): Promise<void> {
  while (!holds()) {
    rig.clock.advance(stepMs);
    await turn();
  }
}

/** Advances the clock in small steps, and lets everything due happen. */
async function over(rig: Rig, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    rig.clock.advance(100);
    for (let turns = 0; turns < 8; turns++) await turn();
  }
}

function page(started: number | null, generated: number): string {
  const counts = `vllm:num_requests_running 0\nvllm:generation_tokens_total ${generated}\n`;
  return started === null ? counts : `process_start_time_seconds ${started}\n${counts}`;
}

/**
 * Replaces the engine by one with this metrics page. Returns the boot id that the agent assigns to
 * it.
 */
async function replaced(rig: Rig, metrics: string): Promise<string | undefined> {
  const { port } = rig.engine;
  await rig.engine[Symbol.asyncDispose]();
  await pass(rig, () => rig.session.load()?.phase === 'joining');
  await using back = await ScriptedEngine.start({ port });
  back.metrics = metrics;
  await pass(rig, () => rig.session.load()?.phase === 'ready');
  return rig.session.load()?.boot;
}

describe('the boot', () => {
  const cases: readonly [string, string, string, boolean][] = [
    ['stays over a break in the network', page(1_700_000_000.5, 5), page(1_700_000_000.5, 5), true],
    [
      'is new where the process started later',
      page(1_700_000_000.5, 5),
      page(1_700_000_100.5, 9),
      false,
    ],
    ['stays where counters went on, though no start is told', page(null, 5), page(null, 6), true],
    ['is new where counters went back', page(null, 5), page(null, 4), false],
    ['is new where nothing tells', page(null, 0), page(null, 0), false],
  ];
  test.each(cases)('%s', async (_name, before, after, same) => {
    await using rig = await startRig({ metrics: before });
    const boot = rig.session.load()?.boot;
    expect(boot).toMatch(/^[0-9a-f]{32}$/);
    expect((await replaced(rig, after)) === boot).toBe(same);
  });

  test('is new for one that was started anew between two looks', async () => {
    await using rig = await startRig({ metrics: page(1_000, 500) });
    const boot = rig.session.load()?.boot;
    rig.engine.metrics = page(2_000, 0);
    await pass(
      rig,
      () => rig.session.load()?.phase === 'ready' && rig.session.load()?.boot !== boot,
    );
  });

  test('does not change while it lives, however it works', async () => {
    await using rig = await startRig({ metrics: page(1_000, 0) });
    const boot = rig.session.load()?.boot;
    for (const generated of [0, 0, 10, 20]) {
      rig.engine.metrics = page(1_000, generated);
      await over(rig, 1_500);
    }
    const boots = rig.session.loads.map((load) => load.workers[0]?.boot).filter(Boolean);
    expect(new Set(boots)).toEqual(new Set([boot]));
  });

  test('what tells of one process only ever grows', () => {
    const vitals = (...counters: number[]): ProcessFingerprint => ({
      startedAt: null,
      generated: 0,
      counters,
    });
    expect(compare(null, vitals(1))).toBe('unknown');
    expect(compare(vitals(0, 0), vitals(0, 0))).toBe('unknown');
    expect(compare(vitals(1, 0), vitals(1, 0))).toBe('same');
    expect(compare(vitals(1, 7), vitals(2, 6))).toBe('another');
  });
});

test('what the agent itself has looked up is no sign of a cache that others have filled', async () => {
  let queried = 0;
  let hits = 0;
  const counts = () =>
    `vllm:prefix_cache_queries_total ${queried}\nvllm:prefix_cache_hits_total ${hits}\n`;
  await using rig = await startRig({
    metrics: counts(),
    engine: {
      onProbe: (ask, nth) => {
        const cached = nth === 2 ? 192 : 0;
        [queried, hits] = [queried + 200, hits + cached];
        ask.engine.metrics = counts();
        ask.accept().role(200).chunk({}, [200, 1], 'length').usage(200, 1, { cached }).done();
      },
    },
  });
  expect(rig.engine.probes.length).toBe(3);
  await over(rig, 3_000);
  expect([queried, hits]).toEqual([600, 192]);
  const ready = rig.session.loads.filter((load) => load.workers[0]?.phase === 'ready');
  const seen = ready.map((load) => load.workers[0]?.prefixQueryTokens);
  expect(new Set(seen)).toEqual(new Set([0]));
  expect(rig.session.load()?.prefixHitTokens).toBe(0);
  rig.engine.metrics = 'vllm:prefix_cache_queries_total 650\nvllm:prefix_cache_hits_total 200\n';
  await pass(rig, () => rig.session.load()?.prefixQueryTokens === 50);
  expect(rig.session.load()?.prefixHitTokens).toBe(8);
});

test('an engine that reports no cached tokens has no more hits than look-ups', async () => {
  let queried = 0;
  let hits = 0;
  const counts = () =>
    `vllm:prefix_cache_queries_total ${queried}\nvllm:prefix_cache_hits_total ${hits}\n`;
  await using rig = await startRig({
    metrics: counts(),
    engine: {
      onProbe: (ask, nth) => {
        [queried, hits] = [queried + 200, hits + (nth === 1 ? 0 : 192)];
        ask.engine.metrics = counts();
        ask.accept().role(200).chunk({}, [200, 1], 'length').usage(200, 1).done();
      },
    },
  });
  await over(rig, 2_000);
  expect(hits).toBeGreaterThan(0);
  expect(rig.session.load()).toMatchObject({ prefixQueryTokens: 0, prefixHitTokens: 0 });
  queried += 50;
  rig.engine.metrics = counts();
  await pass(rig, () => rig.session.load()?.prefixQueryTokens === 50);
  expect(rig.session.load()?.prefixHitTokens).toBeLessThanOrEqual(50);
});

test('look-ups are told from the first report, go on over a break, and begin anew with the process', async () => {
  const looked = (tokens: number) => `${page(1_000, 5)}vllm:prefix_cache_queries_total ${tokens}\n`;
  await using rig = await startRig({ metrics: looked(300) });
  const told = () => rig.session.loads.map((load) => load.workers[0]);
  const first = told().find((load) => load?.phase === 'ready');
  expect(first?.prefixQueryTokens).toBe(300);
  rig.engine.metrics = looked(700);
  await over(rig, 2_000);
  await replaced(rig, looked(700));
  const ready = told().filter((load) => load?.boot === first?.boot);
  const counts = ready.map((load) => load?.prefixQueryTokens ?? 0);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(300);
});

describe('one that hangs', () => {
  test('with work it does not do, it is asked for a token, and is not ready until it writes one', async () => {
    await using rig = await startRig({ metrics: page(1_000, 5) });
    const { boot } = rig.session.load() ?? {};
    rig.session.open(HELLO);
    (await rig.engine.ask()).accept();
    const tried = rig.engine.probes.length;
    rig.engine.onProbe = (ask) => void ask.accept();
    await over(rig, 29_000);
    expect(rig.engine.probes.length).toBe(tried);
    const since = rig.clock.monotonic();
    await pass(rig, () => rig.session.load()?.phase === 'joining', 100);
    expect(rig.clock.monotonic() - since).toBeLessThan(40_000);
    expect(rig.session.load()?.notes.join()).toContain('does not generate');

    rig.engine.onProbe = generates;
    await pass(rig, () => rig.session.load()?.phase === 'ready', 100);
    expect(rig.session.load()?.boot).toBe(boot);
  });

  test('one that writes for others is not asked, nor one that writes for us', async () => {
    await using rig = await startRig({ metrics: page(1_000, 5) });
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask()).accept().role(3);
    const tried = rig.engine.probes.length;
    for (let nth = 1; nth <= 6; nth++) {
      rig.engine.metrics = page(1_000, 5 + nth);
      await over(rig, 10_000);
    }
    for (let nth = 1; nth <= 6; nth++) {
      ask.chunk({ content: 'x' }, [3, nth]);
      await over(rig, 10_000);
    }
    expect(rig.engine.probes.length).toBe(tried);
    expect(rig.session.load()?.phase).toBe('ready');
    call.cancel();
    await call.ended();
  });

  test('with nothing to do it is asked once a minute, and no more', async () => {
    await using rig = await startRig({ metrics: page(1_000, 5) });
    const tried = rig.engine.probes.length;
    await over(rig, 150_000);
    const asked = rig.engine.probes.length - tried;
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked).toBeLessThanOrEqual(3);
  });

  test('an engine that is only full is no engine that hangs', async () => {
    await using rig = await startRig({ metrics: page(1_000, 5) });
    rig.engine.onProbe = (ask) => ask.refuse(503);
    await over(rig, 100_000);
    expect(new Set(rig.session.loads.slice(-60).map((load) => load.workers[0]?.phase))).toEqual(
      new Set(['ready']),
    );
  });
});

test('an engine whose token comes late, but whose work goes on, does not hang', async () => {
  await using rig = await startRig({ metrics: page(1_000, 5) });
  rig.engine.onProbe = (ask) => void ask.accept();
  const tried = rig.engine.probes.length;
  await pass(rig, () => rig.engine.probes.length > tried, 100);
  rig.engine.metrics = page(1_000, 6);
  await over(rig, 40_000);
  expect(rig.session.loads.slice(-40).map((load) => load.workers[0]?.phase)).not.toContain(
    'joining',
  );
});

test('an engine that does not generate is not ready, whatever else it answers', async () => {
  let hangs = true;
  await using engine = await ScriptedEngine.start({
    onProbe: (ask) => (hangs ? ask.refuse(500) : generates(ask)),
  });
  await using rig = await startRig({
    config: {
      engines: [
        { name: 'engine', url: engine.url },
        { name: 'other', url: engine.url },
      ],
    },
    waits: false,
  });
  await pass(rig, () => rig.session.load()?.notes.join().includes('does not generate') === true);
  expect(rig.session.load()?.phase).toBe('joining');
  hangs = false;
  await pass(rig, () => rig.session.load()?.phase === 'ready');
});

test('an engine that is down at the start is a warning, once for each reason, until it is up', async () => {
  const logged: string[] = [];
  const write = (line: string) => {
    const { level, why = '', msg } = JSON.parse(line) as Logged;
    if (msg.startsWith('engine')) logged.push([level, msg, why].join(' ').trim());
  };
  await using rig = await startRig({
    engine: { onProbe: (ask) => ask.refuse(500) },
    log: makeLog('agent', 'info', { write }),
    waits: false,
  });
  await pass(rig, () => logged.length === 1);
  await over(rig, 5_000);
  rig.engine.onProbe = (ask) => ask.refuse(503);
  await pass(rig, () => logged.length === 2);
  rig.engine.onProbe = generates;
  await pass(rig, () => rig.session.load()?.phase === 'ready');
  expect(logged).toEqual([
    '40 engine cannot be used it answers health checks, but does not generate tokens',
    '40 engine cannot be used it refuses requests at the moment (429 or 503)',
    '30 engine became available',
  ]);
});

test('a model that knows no chat is tried with a text', async () => {
  await using rig = await startRig({
    engine: {
      onProbe: (ask) => {
        if (ask.path === '/v1/chat/completions') return ask.refuse(400, 'no chat template');
        ask.accept().text('x', [200, 1], 'length').usage(200, 1, { cached: 0 }).done();
      },
    },
  });
  expect(rig.session.load()).toMatchObject({ phase: 'ready', runningUsage: true, notes: [] });
});
