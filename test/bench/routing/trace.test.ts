import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../shared/random.ts';
import { makeLoad } from './trace/load.ts';
import { parseMooncake } from './trace/mooncake.ts';
import { parseTextTrace } from './trace/text.ts';
import { reusableBlocks, type Trace } from './trace/trace.ts';

const TEXT = '#small 2 9 1\n0.0 1100 20 7 2 0 3\n1.5 600 0 8 1 0\n';

describe('a trace in the text form', () => {
  test('is read line by line', () => {
    const trace = parseTextTrace(TEXT);
    expect(trace).toMatchObject({ name: 'small', idsEnd: 9, sharedEnd: 1 });
    expect(trace.requests[0]).toEqual({
      atS: 0,
      inputTokens: 1100,
      outputTokens: 20,
      session: 7,
      blocks: Uint32Array.of(0, 3),
    });
    // Every answer has at least its first token.
    expect(trace.requests[1]?.outputTokens).toBe(1);
  });

  test.each([
    ['no header', '0 1 1 1 0\n', /line 1/],
    ['fewer requests than announced', '#x 2 9 0\n0 600 5 1 0\n', /says 2 requests, there are 1/],
    ['no requests', '#x 0 9 0\n', /without requests/],
    ['fewer blocks than announced', '#x 1 9 0\n0 1100 5 1 2 3\n', /line 2/],
    ['an id beyond the header', '#x 1 9 0\n0 600 5 1 1 9\n', /line 2/],
    ['a word for a number', '#x 1 9 0\n0 many 5 1 0\n', /line 2/],
    ['an empty prompt', '#x 1 9 0\n0 0 5 1 0\n', /line 2/],
    ['time that goes back', '#x 2 9 0\n2 600 5 1 0\n1 600 5 1 0\n', /line 3/],
  ])('with %s is refused, and says where', (_what, text, fault) => {
    expect(() => parseTextTrace(text)).toThrow(fault);
  });
});

describe("one of Mooncake's traces", () => {
  const line = (timestamp: number, ids: number[]) =>
    JSON.stringify({ timestamp, input_length: 1030, output_length: 3, hash_ids: ids });
  const options = { name: 'm', stampS: 3, sharedEnd: 1 };

  test('has its rounded stamps spread, each request within its own', () => {
    const text = `${[0, 0, 0, 3000, 3000].map((stamp, at) => line(stamp, [0, at + 1, 90])).join('\n')}\n`;
    const { requests, idsEnd } = parseMooncake(text, options, seededRandom(4));
    const order = requests.map(({ blocks }) => blocks[1]);
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(requests.map(({ atS }) => atS)).size).toBe(5);
    expect(requests[0]?.atS).toBe(0);
    expect(requests.at(-1)?.atS).toBeLessThan(6);
    expect(idsEnd).toBe(91);
  });

  test('keeps whole blocks only: no engine caches the last part of a prompt', () => {
    const { requests } = parseMooncake(line(0, [0, 1, 2]), options, seededRandom(4));
    expect(requests[0]?.blocks).toEqual(Uint32Array.of(0, 1));
  });

  test('has its sessions told apart by the first block that is not shared by all', () => {
    const text = [[0, 5, 6], [0, 5, 7], [0, 8], [0], [0]].map((ids) => line(0, ids)).join('\n');
    const { requests } = parseMooncake(text, options, seededRandom(4));
    const [first, again, other, ...alone] = requests.map(({ session }) => session);
    expect(again).toBe(first);
    expect(new Set([first, other, ...alone]).size).toBe(4);
  });

  test('that is malformed is refused', () => {
    expect(() => parseMooncake('{"timestamp": 0}', options, seededRandom(4))).toThrow();
  });
});

describe('a load', () => {
  const trace: Trace = {
    ...parseTextTrace(TEXT),
    requests: Array.from({ length: 100 }, (_, at) => ({
      atS: at,
      inputTokens: 1100,
      outputTokens: 10,
      session: 1 + (at % 8),
      blocks: Uint32Array.of(0, 1 + (at % 8)),
    })),
  };
  const options = { requestsMax: 1e6, routers: 4, tokenErrorDeviation: 0.1 };

  test('has the rate that was asked for, by copies and a little stretching', () => {
    const load = makeLoad(trace, { ...options, requestsPerS: 3.2 }, seededRandom(1));
    expect(load).toHaveLength(300);
    // The copies start within a minute of each other. 99 s of trace are scaled to 94.
    expect(load.at(-1)?.atS).toBeGreaterThan(93);
    expect(load.at(-1)?.atS).toBeLessThan(94 + 60);
    expect(load.map(({ atS }) => atS)).toEqual(
      load.map(({ atS }) => atS).toSorted((a, b) => a - b),
    );
  });

  test('shares between its copies what belongs to no customer, and nothing else', () => {
    const load = makeLoad(trace, { ...options, requestsPerS: 3.2 }, seededRandom(1));
    const heads = new Set(load.map(({ blocks }) => blocks[0]));
    const tails = new Set(load.map(({ blocks }) => blocks[1]));
    expect(heads).toEqual(new Set([0]));
    expect(tails.size).toBe(3 * 8);
    expect(new Set(load.map(({ session }) => session)).size).toBe(3 * 8);
  });

  test('stops at the most requests that were asked for, with all its copies under way', () => {
    const load = makeLoad(
      trace,
      { ...options, requestsPerS: 50, requestsMax: 400 },
      seededRandom(1),
    );
    expect(load).toHaveLength(400);
  });

  test('comes to the routers by lot, and is the same again for the same seed', () => {
    const load = makeLoad(trace, { ...options, requestsPerS: 3.2 }, seededRandom(1));
    const counts = Map.groupBy(load, ({ router }) => router);
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(load).toEqual(makeLoad(trace, { ...options, requestsPerS: 3.2 }, seededRandom(1)));
    expect(load).not.toEqual(makeLoad(trace, { ...options, requestsPerS: 3.2 }, seededRandom(2)));
  });
});

test('one token of a prompt is always computed anew', () => {
  const blocks = Uint32Array.of(1, 2);
  expect(reusableBlocks({ inputTokens: 1024, blocks })).toBe(1);
  expect(reusableBlocks({ inputTokens: 1025, blocks })).toBe(2);
});
