/** What a router learns about its workers, on a manual clock. */
import { expect, test } from 'vitest';
import type { LoadReport } from '../../../router/routing/forecast.ts';
import {
  type EligibleWorker,
  Forecasts,
  type PromptQuery,
} from '../../../router/routing/forecasts.ts';
import { leastTtft } from '../../../router/routing/policies/least-ttft.ts';
import { packChunks, promptOf } from '../../../router/routing/prompt.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const LOAD: LoadReport = {
  boot: 'engine-1',
  kvUse: 0,
  kvTokens: 1_000_000,
  running: 0,
  waiting: 0,
  runningUsage: true,
  prefixQueryTokens: 0,
};

class Bench {
  readonly clock = new ManualClock();
  readonly random = seededRandom(3);
  readonly forecasts = new Forecasts({ clock: this.clock, random: this.random });
  readonly workers: EligibleWorker[];

  constructor(count: number) {
    this.workers = Array.from({ length: count }, (_, index) => {
      const { forecasts } = this;
      const id = `w${index}`;
      const forecast = forecasts.join(id) as EligibleWorker['forecast'];
      forecast.report(LOAD);
      return {
        id,
        forecast,
        get inFlight() {
          return forecast.inFlight - forecast.foreign;
        },
        waiting: 0,
        slots: 1024,
        kvUse: 0,
        rttSeconds: 0.001,
      };
    });
  }

  worker(index: number): EligibleWorker {
    return this.workers[index] as EligibleWorker;
  }

  choose(request: PromptQuery): EligibleWorker {
    const { query, candidates } = this.forecasts.estimate(request, this.workers);
    return leastTtft(query, candidates, this.random).worker;
  }

  send(request: PromptQuery, worker = this.choose(request)) {
    const { forecast } = worker;
    const flight = this.forecasts.dispatched(request, forecast);
    return {
      worker,
      flight,
      firstToken: () => forecast.firstToken(flight),
      ended: (counted: { promptTokens: number; cachedTokens: number }) =>
        forecast.ended(flight, counted),
      lost: () => forecast.lost(flight),
    };
  }

  candidate(request: PromptQuery, index: number) {
    const { candidates } = this.forecasts.estimate(request, this.workers);
    return candidates[index] as (typeof candidates)[number];
  }

  pass(ms: number): void {
    this.clock.advance(ms);
  }
}

/**
 * A prompt of this many tokens, four characters each, that shares nothing with a prompt of another
 * name.
 */
function prompt(name: string, tokens: number, head = ''): PromptQuery {
  const text = `${head}${name} `.concat(`${name} is told. `.repeat(tokens)).slice(0, tokens * 4);
  return { model: 'm', prompt: promptOf('m|salt', text), promptTokens: tokens };
}

test('a burst of cold prompts spreads evenly over equal workers', () => {
  const bench = new Bench(8);
  for (let i = 0; i < 800; i++) bench.send(prompt(`cold ${i}`, 600));
  const loads = bench.workers.map(({ inFlight }) => inFlight);
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
});

test('the siblings of one prompt go where the first went, until another worker is sooner ready', () => {
  const bench = new Bench(8);
  const head = 'A system prompt that all of them share. '.repeat(2_000);
  const first = bench.send(prompt('sibling 0', 22_000, head));
  // By now most of the prefill is done.
  bench.pass(1_500);
  const picked = Array.from({ length: 5 }, (_, i) =>
    bench.send(prompt(`sibling ${i + 1}`, 22_000, head)),
  );
  // 2,000 uncached tokens each, against 20,000 that another worker would have to process first.
  expect(new Set(picked.map(({ worker }) => worker.id))).toEqual(new Set([first.worker.id]));
  const more = Array.from({ length: 30 }, (_, i) =>
    bench.send(prompt(`sibling ${i + 11}`, 22_000, head)),
  );
  expect(new Set(more.map(({ worker }) => worker.id)).size).toBeGreaterThan(1);
});

test('a queue is measured in seconds of prefill: one long prompt weighs as many short ones', () => {
  const bench = new Bench(2);
  const long = bench.send(prompt('long', 20_000));
  for (let i = 0; i < 10; i++) {
    expect(bench.send(prompt(`short ${i}`, 1_000)).worker).not.toBe(long.worker);
  }
});

test('what waits there goes down as time passes, and leaves with the first token', () => {
  const bench = new Bench(1);
  const request = prompt('one', 10_000);
  const sent = bench.send(request);
  const next = prompt('two', 1_000);
  const before = bench.candidate(next, 0).queueSeconds;
  expect(before).toBeCloseTo(sent.flight.prefillSeconds, 6);
  bench.pass(200);
  expect(bench.candidate(next, 0).queueSeconds).toBeCloseTo(before - 0.2, 6);
  sent.firstToken();
  expect(bench.candidate(next, 0)).toMatchObject({ queueSeconds: 0, contextTokens: 10_300 });
  sent.ended({ promptTokens: 10_000, cachedTokens: 0 });
  expect(bench.candidate(next, 0)).toMatchObject({ contextTokens: 0, queuedTokens: 0 });
});

test('a head that is overdue is taken to have found nothing in the cache', () => {
  const bench = new Bench(1);
  const request = prompt('again', 20_000);
  bench.send(request).lost();
  const sent = bench.send(request);
  const next = prompt('two', 1_000);
  expect(sent.flight.prefillSeconds).toBeLessThan(0.1);
  bench.pass(90);
  expect(bench.candidate(next, 0).queueSeconds).toBeLessThan(0.05);
  bench.pass(200);
  expect(bench.candidate(next, 0).queueSeconds).toBeGreaterThan(1);
});

test('a head that has had its time is not taken to be done: it needs a little more', () => {
  const bench = new Bench(2);
  const { worker, ...sent } = bench.send(prompt('long', 40_000));
  const next = prompt('next', 1_000);
  const wait = () => bench.candidate(next, bench.workers.indexOf(worker)).queueSeconds;
  for (const share of [1, 0.2]) {
    bench.pass(share * sent.flight.prefillSeconds * 1000);
    expect(wait()).toBeCloseTo(0.1 * sent.flight.prefillSeconds, 6);
    // The choice is an idle worker, because waiting half a second for the cache does not pay off.
    expect(bench.choose(next)).not.toBe(worker);
  }
  sent.firstToken();
  expect(wait()).toBe(0);
});

test('a slow worker is found to be slow, and the others hardly', () => {
  const bench = new Bench(4);
  for (let i = 0; i < 200; i++) {
    for (const [index, worker] of bench.workers.entries()) {
      const sent = bench.send(prompt(`p ${i} ${index}`, 12_000), worker);
      bench.pass((index === 0 ? 3 : 1) * 944);
      sent.firstToken();
      sent.ended({ promptTokens: 12_000, cachedTokens: 0 });
    }
  }
  const request = prompt('next', 12_000);
  const taken = bench.workers.map((_, index) => bench.candidate(request, index).prefillSeconds);
  const [slow, ...others] = taken as [number, ...number[]];
  for (const other of others) {
    expect(slow / other).toBeGreaterThan(1.7);
    expect(slow / other).toBeLessThan(4);
  }
});

test('a model that takes other times than was thought is learned from lone prefills', () => {
  const bench = new Bench(1);
  const real = (tokens: number) => 8e-6 * tokens + 5e-11 * tokens * tokens;
  for (let i = 0; i < 300; i++) {
    const tokens = 2_000 + (i % 10) * 4_000;
    const sent = bench.send(prompt(`p${i}`, tokens));
    bench.pass(real(tokens) * 1000);
    sent.firstToken();
    sent.ended({ promptTokens: tokens, cachedTokens: 0 });
  }
  for (const tokens of [4_000, 40_000]) {
    const expected = bench.candidate(prompt('x', tokens), 0).prefillSeconds;
    expect(expected / real(tokens)).toBeGreaterThan(0.8);
    expect(expected / real(tokens)).toBeLessThan(1.25);
  }
});

test('a count that is far from what was sent teaches no seconds', () => {
  const bench = new Bench(1);
  const long = prompt('long', 40_000);
  const before = bench.candidate(long, 0).prefillSeconds;
  for (let i = 0; i < 100; i++) {
    const request = prompt(`p${i}`, 2_000);
    bench.send(request).lost();
    const sent = bench.send({ ...request, promptTokens: 2_000 });
    bench.pass(20);
    sent.firstToken();
    // The worker had nearly all of the prompt cached, and reports no cached tokens.
    sent.ended({ promptTokens: 2_000, cachedTokens: 0 });
  }
  expect(bench.candidate(long, 0).prefillSeconds).toBe(before);
});

test('an estimate that is off is put right by what engines count', () => {
  const bench = new Bench(1);
  for (let i = 0; i < 100; i++) {
    const sent = bench.send({ ...prompt(`p${i}`, 1_000), promptTokens: 1_500 });
    sent.ended({ promptTokens: 1_000, cachedTokens: 0 });
  }
  const { query } = bench.forecasts.estimate(
    { ...prompt('x', 1_000), promptTokens: 1_500 },
    bench.workers,
  );
  expect(query.promptTokens).toBeGreaterThan(950);
  expect(query.promptTokens).toBeLessThan(1_050);
});

test('an engine that keeps less than it says is found out by what misses', () => {
  const bench = new Bench(1);
  const { forecast } = bench.worker(0);
  const capacity = () => bench.forecasts.index.capacity(forecast.number);
  const before = capacity();
  const request = prompt('old', 10_000);
  for (let round = 0; round < 40; round++) {
    bench.send(request).lost();
    for (let i = 0; i < 10; i++) bench.send(prompt(`${round} ${i}`, 10_000)).lost();
    const sent = bench.send(request);
    sent.ended({ promptTokens: 10_000, cachedTokens: 0 });
  }
  // About four hundred chunks were stored in between.
  expect(capacity()).toBeLessThan(before / 4);
  expect(capacity()).toBeGreaterThanOrEqual(64);
});

test('three answers that find almost nothing: the engine has started anew in silence', () => {
  const bench = new Bench(1);
  const request = prompt('known', 10_000);
  const all = Array.from({ length: 4 }, () => bench.send(request));
  const end = (cachedTokens: number) => {
    const sent = all.pop();
    sent?.ended({ promptTokens: 10_000, cachedTokens });
  };
  end(9_984);
  for (let i = 0; i < 2; i++) {
    const sent = bench.send(request);
    sent.ended({ promptTokens: 10_000, cachedTokens: 0 });
    expect(bench.candidate(request, 0).cachedTokens).toBeGreaterThan(9_000);
  }
  const sent = bench.send(request);
  const [one, other] = [prompt('one', 10_000), prompt('other', 10_000)];
  bench.send(one).lost();
  bench.send(other).lost();
  sent.ended({ promptTokens: 10_000, cachedTokens: 0 });
  // What was stored before the first bad answer is gone. What came after it is kept.
  expect(bench.candidate(other, 0).cachedTokens).toBeGreaterThan(9_000);
});

test('a new boot of an engine empties its cache at once; a link that breaks does not', () => {
  const bench = new Bench(1);
  const { forecast } = bench.worker(0);
  const request = prompt('known', 10_000);
  bench.send(request).lost();
  bench.forecasts.leave(forecast);
  expect(bench.forecasts.join('w0')).toBe(forecast);
  forecast.report({ ...LOAD, prefixQueryTokens: 10_000 });
  expect(bench.candidate(request, 0).cachedTokens).toBeGreaterThan(9_000);
  expect(bench.forecasts.index.isComplete(forecast.number)).toBe(false);
  forecast.report({ ...LOAD, boot: 'engine-2' });
  expect(bench.candidate(request, 0).cachedTokens).toBe(0);
  expect(bench.forecasts.index.isComplete(forecast.number)).toBe(true);
});

test('a worker that is lost has nothing under way, whatever its requests still say', () => {
  const bench = new Bench(1);
  const { forecast } = bench.worker(0);
  const request = prompt('one', 10_000);
  const sent = bench.send(request);
  bench.forecasts.leave(forecast);
  sent.firstToken();
  sent.lost();
  sent.ended({ promptTokens: 1, cachedTokens: 1 });
  expect(bench.candidate(prompt('two', 1_000), 0)).toMatchObject({
    queueSeconds: 0,
    contextTokens: 0,
    queuedTokens: 0,
    inFlight: 0,
  });
});

test('what another router has under way counts like our own, until it is over', () => {
  const bench = new Bench(1);
  const { forecast } = bench.worker(0);
  const request = prompt('theirs', 10_000);
  const from = 'router-2';
  forecast.echo([
    {
      at: 'dispatched',
      from,
      stream: 1,
      chunks: packChunks(request.prompt),
      promptTokens: 10_000,
      uncachedTokens: 10_000,
    },
  ]);
  const other = prompt('ours', 1_000);
  expect(bench.candidate(other, 0).queueSeconds).toBeGreaterThan(0.7);
  expect(bench.candidate(other, 0).inFlight).toBe(1);
  expect(bench.candidate(request, 0).cachedTokens).toBeGreaterThan(9_000);
  // The index knows of other routers' prompts only through the agent's echoes, so the index cannot
  // bound a bill.
  expect(bench.forecasts.index.isComplete(forecast.number)).toBe(false);
  forecast.echo([{ at: 'first_token', from, stream: 1 }]);
  expect(bench.candidate(other, 0)).toMatchObject({ queueSeconds: 0, contextTokens: 10_300 });
  forecast.echo([{ at: 'over', from, stream: 1 }]);
  expect(bench.candidate(other, 0)).toMatchObject({ inFlight: 0, contextTokens: 0 });
});

test('echoes that fit nothing, or never end, are bounded', () => {
  const bench = new Bench(1);
  const { forecast } = bench.worker(0);
  const from = 'router-2';
  forecast.echo([
    { at: 'over', from, stream: 7 },
    { at: 'first_token', from, stream: 8 },
  ]);
  const begun = (stream: number) =>
    ({
      at: 'dispatched',
      from,
      stream,
      chunks: 'AAAA',
      promptTokens: Number.MAX_SAFE_INTEGER,
      uncachedTokens: Number.MAX_SAFE_INTEGER,
    }) as const;
  for (let i = 0; i < 6; i++) {
    forecast.echo(Array.from({ length: 1024 }, (_, at) => begun(1 + i * 1024 + at)));
  }
  expect(forecast.foreign).toBe(4_096);
  bench.pass(1_801_000);
  forecast.echo([begun(100_000)]);
  expect(forecast.foreign).toBe(1);
});

test('an agent that echoes requests beyond measure makes no other worker look busy', () => {
  const bench = new Bench(2);
  const [liar, honest] = [bench.worker(0), bench.worker(1)];
  const request = prompt('ours', 1_000);
  for (const to of [liar, honest]) bench.send(request, to).lost();
  for (let report = 0; report < 2; report++) honest.forecast.report({ ...LOAD, waiting: 1 });
  const before = bench.candidate(request, 1);
  const events = Array.from({ length: 1_000 }, (_, stream) => ({
    at: 'dispatched' as const,
    from: 'router-2',
    stream: stream + 1,
    chunks: '',
    promptTokens: Number.MAX_SAFE_INTEGER,
    uncachedTokens: Number.MAX_SAFE_INTEGER,
  }));
  liar.forecast.echo(events);
  const { queueSeconds, decodeSeconds } = bench.candidate(request, 1);
  expect({ queueSeconds, decodeSeconds }).toEqual({
    queueSeconds: before.queueSeconds,
    decodeSeconds: before.decodeSeconds,
  });
});

test('an agent whose echoes are all answered at once makes no other worker look fast', () => {
  const bench = new Bench(2);
  const request = prompt('ours', 1_000);
  for (const to of bench.workers) bench.send(request, to).lost();
  for (let stream = 1; stream <= 1_000; stream++) {
    const named = { from: 'router-2', stream };
    const counts = { chunks: '', promptTokens: 100_000, uncachedTokens: 100_000 };
    bench.worker(0).forecast.echo([
      { at: 'dispatched', ...named, ...counts },
      { at: 'first_token', ...named },
      { at: 'over', ...named },
    ]);
  }
  expect(bench.worker(1).forecast.speed).toBe(1);
});

test('memory that fills up is a reason to go elsewhere, before the engine reports it', () => {
  const bench = new Bench(2);
  for (const { forecast } of bench.workers) forecast.report({ ...LOAD, kvTokens: 50_000 });
  const request = prompt('a', 20_000);
  const { worker } = bench.send(request);
  const index = bench.workers.indexOf(worker);
  expect(bench.candidate(prompt('b', 20_000), index).kvAfter).toBeGreaterThan(0.8);
  expect(bench.candidate(prompt('b', 20_000), 1 - index).kvAfter).toBeLessThan(0.5);
});

test('workers that come and go under ever new names are bounded, and take the places of the gone', () => {
  const bench = new Bench(0);
  for (let i = 0; i < 10_000; i++) {
    const forecast = bench.forecasts.join(`w${i}`);
    expect(forecast).not.toBeNull();
    if (forecast) bench.forecasts.leave(forecast);
  }
});
