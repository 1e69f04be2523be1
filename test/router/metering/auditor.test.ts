/**
 * Which referee receives which text, and what an alarm says: the auditor between sessions with
 * scripted agents.
 */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fleet } from '../../../router/fleet/fleet.ts';
import type { StreamEvents } from '../../../router/fleet/stream.ts';
import type { Worker } from '../../../router/fleet/worker.ts';
import { Alarms } from '../../../router/metering/alarms.ts';
import { Auditor } from '../../../router/metering/auditor.ts';
import { Canaries } from '../../../router/metering/canaries.ts';
import { seededRandom } from '../../../shared/random.ts';
import { type Region, REGIONS } from '../../../shared/region.ts';
import type { End } from '../../../shared/wire/end.ts';
import { escaped } from '../../../shared/wire/escaped.ts';
import type { Count } from '../../../shared/wire/messages.ts';
import { delivered } from '../../agent/support/gate.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ScriptedAgent } from '../request/scripted-agent.ts';

const MODEL = 'lab/model';
const PROMPT = 'the prompt that nobody else is to see';
const ANSWER = 'the answer that nobody else is to see';

let clock: ManualClock;
let lines: string[];
let fleet: Fleet;
let alarms: Alarms;
let agents: Map<string, ScriptedAgent>;
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  agents = new Map();
  fleet = new Fleet({ log: log(), clock, random: seededRandom(2) });
  alarms = new Alarms({ clock, log: log() });
});
afterEach(() => {
  for (const agent of agents.values()) agent.drop();
  expect(lines.join('')).not.toMatch(/nobody else|Sum up/);
});

function log() {
  const sink = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  return pino({ level: 'debug' }, sink);
}

function join(name: string, region: Region = 'global'): ScriptedAgent {
  const agent = new ScriptedAgent(fleet, { clock, log: log() }, name, region);
  agent.report([MODEL]);
  agents.set(name, agent);
  return agent;
}

function auditorOf(config: { sample?: number; recountIn?: readonly Region[] } = {}): Auditor {
  const parts = { fleet, alarms, clock, random: seededRandom(3), log: log() };
  return new Auditor({ sample: 1, recountIn: REGIONS, ...config }, parts);
}

const workerOf = (name: string) => [...fleet.workers].find((one) => one.name === name) as Worker;

/**
 * Passes one answer of a host through the auditor's tap. Resolves when all immediate consequences
 * are done.
 */
async function serve(
  auditor: Auditor,
  host: string,
  {
    region = 'global',
    completion = 10,
    raw = bodyOf(PROMPT),
    answer = ANSWER,
  }: Partial<{
    region: Region;
    completion: number;
    raw: Buffer;
    answer: string;
  }> = {},
): Promise<void> {
  let events: StreamEvents | null = null;
  const attempt = {
    worker: workerOf(host),
    cache: { predicted: () => 0 },
    dispatch: (told: StreamEvents) => {
      events = told;
      return { grant() {}, cancel() {}, drop() {} };
    },
  };
  const asked = {
    model: { entry: { id: MODEL } },
    endpoint: 'chat' as const,
    reasoningWithheld: false,
    raw,
  };
  const heard: End[] = [];
  const stream = auditor.watch(attempt, asked, region).dispatch({
    delta() {},
    counts() {},
    ended: (_prompt, _completion, end) => {
      heard.push(end);
      // A request that has received its end drops the stream.
      stream.drop();
    },
    refused() {},
    lost() {},
  });
  const told = events as StreamEvents | null;
  told?.delta(20, completion, { kind: 'content', text: Buffer.from(escaped(answer)) }, 0, 0);
  told?.ended(20, completion, {
    outcome: 'finished',
    finish: 'stop',
    cut: false,
    cached: 0,
    reasoning: null,
  });
  expect(heard).toHaveLength(1);
  await delivered();
}

function bodyOf(content: string): Buffer {
  return Buffer.from(JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] }));
}

const asked = (name: string): Count[] => agents.get(name)?.counts ?? [];
const shownTo = () => [...agents.keys()].filter((name) => asked(name).length > 0);

test('text is shown to another host of the same region, never to the one that is judged', async () => {
  for (const region of REGIONS) for (const i of [1, 2]) join(`${region}-${i}`, region);
  await serve(auditorOf(), 'us-1', { region: 'us' });
  expect(shownTo()).toEqual(['us-2']);
  expect(asked('us-2')).toMatchObject([{ worker: 'us-2', model: MODEL, answer: ANSWER }]);
  expect(JSON.parse(asked('us-2')[0]?.prompt ?? '')).toEqual({
    messages: [{ role: 'user', content: PROMPT }],
  });
});

test('a host alone in its region is shown to nobody, whoever serves elsewhere', async () => {
  for (const [name, region] of [
    ['one', 'eu'],
    ['two', 'us'],
    ['three', 'global'],
  ] as const) {
    join(name, region);
  }
  await serve(auditorOf(), 'one', { region: 'eu' });
  expect(shownTo()).toEqual([]);
});

test('another engine of the same agent is no referee, nor one that drains', async () => {
  join('one').say({ type: 'drain', worker: null });
  const two = join('two');
  two.report([MODEL]);
  await serve(auditorOf(), 'two');
  expect(shownTo()).toEqual([]);
});

test('where the configuration does not name a region, and where nothing is sampled, nothing is shown', async () => {
  for (const name of ['one', 'two']) join(name);
  await serve(auditorOf({ recountIn: ['us'] }), 'one');
  await serve(auditorOf({ sample: 0 }), 'one');
  expect(shownTo()).toEqual([]);
  expect(alarms.audits).toEqual({ recounted: 0, by_band: 1, not_finished: 0, failed: 0 });
});

test('the share that is configured is looked at', async () => {
  for (const name of ['one', 'two']) join(name);
  const auditor = auditorOf({ sample: 0.1, recountIn: [] });
  for (let i = 0; i < 2_000; i++) await serve(auditor, 'one');
  expect(alarms.audits.by_band).toBeGreaterThan(150);
  expect(alarms.audits.by_band).toBeLessThan(250);
});

test('a text too long to be shown is not; its tokens are held against what is usual', async () => {
  for (const name of ['one', 'two']) join(name);
  const auditor = auditorOf();
  const long = 'a'.repeat(70_000);
  await serve(auditor, 'one', { raw: bodyOf(long), answer: 'b'.repeat(70_000) });
  expect(shownTo()).toEqual([]);
  // Too long to be kept, so only the prompt is compared.
  await serve(auditor, 'one', { answer: 'b'.repeat(300_000) });
  expect(asked('two')).toMatchObject([{ answer: null }]);
  // Too long to be checked at all.
  await serve(auditor, 'one', { raw: bodyOf('a'.repeat(300_000)) });
  expect(alarms.audits).toMatchObject({ by_band: 1 });
});

test('a host that does not count is asked less and less', async () => {
  for (const name of ['one', 'two']) join(name);
  const auditor = auditorOf();
  const after = async (ms: number) => {
    clock.advance(ms);
    await delivered();
    await serve(auditor, 'one');
    return asked('two').length;
  };
  await serve(auditor, 'one');
  // The first question times out, and is not repeated for the same time.
  expect(await after(5_000)).toBe(1);
  expect(await after(4_900)).toBe(1);
  expect(await after(100)).toBe(2);
  await after(5_000);
  expect(await after(9_900)).toBe(2);
  expect(await after(100)).toBe(3);
});

test('a host is asked a few things at a time, and a link that breaks leaves nothing waiting', async () => {
  for (const name of ['one', 'two']) join(name);
  const auditor = auditorOf();
  for (let i = 0; i < 10; i++) await serve(auditor, 'one');
  expect(asked('two')).toHaveLength(4);
  agents.get('two')?.drop();
  await delivered();
  expect(alarms.audits.by_band).toBe(10);
});

test('an alarm says who, what and how much, and no text', async () => {
  for (const name of ['one', 'two']) join(name);
  const auditor = auditorOf();
  for (let i = 0; i < 8; i++) {
    await serve(auditor, 'one', { completion: 100 });
    const { id } = asked('two').at(-1) as Count;
    agents.get('two')?.say({ type: 'counted', id, prompt: 20, answer: 50 });
    await delivered();
  }
  expect(alarms.of('agt_one/one')).toEqual([
    { kind: 'completion_inflated', count: 1, last: clock.now() },
  ]);
  expect(alarms.of('agt_two/two')).toEqual([]);
  const [line] = lines.filter((text) => text.includes('do not fit'));
  const {
    level: _level,
    time: _time,
    pid: _pid,
    hostname: _host,
    ...said
  } = JSON.parse(line ?? '{}');
  expect(said).toEqual({
    worker: 'agt_one/one',
    agent: 'agt_one',
    model: MODEL,
    kind: 'completion_inflated',
    by: 'recount',
    ratio: 2,
    samples: 8,
    msg: 'host reported token counts that do not fit its requests or answers',
  });
});

test('an answer that nobody asked to be counted, and one that comes too late, are nobody’s', async () => {
  for (const name of ['one', 'two']) join(name);
  agents.get('two')?.say({ type: 'counted', id: 7, prompt: 1, answer: 1 });
  await serve(auditorOf(), 'one');
  clock.advance(5_000);
  agents.get('two')?.say({ type: 'counted', id: 1, prompt: 1, answer: 1 });
  await delivered();
  expect(alarms.audits).toMatchObject({ recounted: 0, by_band: 1, failed: 0 });
});

test('an attempt that is not finished is no sample, and no more are kept than there is room for', async () => {
  join('one');
  const auditor = auditorOf();
  const attempt = {
    worker: workerOf('one'),
    cache: { predicted: () => 0 },
    dispatch: (_events: StreamEvents) => ({ grant() {}, cancel() {}, drop() {} }),
  };
  const request = {
    model: { entry: { id: MODEL } },
    endpoint: 'chat' as const,
    reasoningWithheld: false,
    raw: bodyOf(PROMPT),
  };
  const watch = () => auditor.watch(attempt, request, 'global');
  const events = { delta() {}, counts() {}, ended() {}, refused() {}, lost() {} };
  const taps = Array.from({ length: 100 }, watch).filter((watched) => watched !== attempt);
  expect(taps).toHaveLength(64);
  for (const tap of taps) tap.dispatch(events).drop();
  await delivered();
  expect(alarms.audits.not_finished).toBe(64);
  expect(watch()).not.toBe(attempt);
});

test('a canary goes to all hosts of a model alike, and finds the one that adds to its prompts', async () => {
  for (const name of ['one', 'two', 'three']) join(name);
  const parts = { fleet, alarms, clock, random: seededRandom(5) };
  using canaries = new Canaries(60_000, parts);
  for (let round = 0; round < 8; round++) {
    const over = canaries.round();
    for (const [name, agent] of agents) {
      const stream = await agent.next();
      expect(stream.open).toMatchObject({ model: MODEL, maxTokens: 16, grant: { final: true } });
      stream.finish(name === 'two' ? 240 : 200, 16);
    }
    await over;
  }
  expect([...alarms.all()]).toMatchObject([{ worker: 'agt_two/two', kind: 'prompt_inflated' }]);
  for (const agent of agents.values()) {
    const sizes = agent.streams.map(({ open }) => open.bodyBytes);
    expect(new Set(sizes).size).toBeGreaterThan(4);
  }
  expect(workerOf('one').inFlight).toBe(0);
});

test('a canary is not sent to a host alone, and one that never answers is let go', async () => {
  join('one');
  using canaries = new Canaries(60_000, { fleet, alarms, clock, random: seededRandom(5) });
  await canaries.round();
  expect(agents.get('one')?.streams).toEqual([]);
  join('two');
  clock.advance(60_000);
  expect(workerOf('one').inFlight).toBe(1);
  clock.advance(60_000);
  await delivered();
  expect([workerOf('one').inFlight, workerOf('two').inFlight]).toEqual([0, 0]);
});

test('in a large fleet every worker has its canaries, whenever it joined', async () => {
  const names = Array.from({ length: 24 }, (_, at) => `host-${at}`);
  for (const name of names) join(name);
  using canaries = new Canaries(60_000, { fleet, alarms, clock, random: seededRandom(5) });
  const seen = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const over = canaries.round();
    const busy = names.filter((name) => workerOf(name).inFlight > 0);
    expect(busy).toHaveLength(16);
    for (const name of busy) {
      seen.add(name);
      const stream = await agents.get(name)?.next();
      stream?.finish(200, 16);
    }
    await over;
  }
  expect(seen.size).toBe(24);
});
