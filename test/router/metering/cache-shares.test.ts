/**
 * The audit of cached tokens with the forecasts that it compares them with: hosts that tell the
 * truth about their caches and their evictions, and hosts that do not.
 */
import { expect, test } from 'vitest';
import { CacheShares } from '../../../router/metering/cache-shares.ts';
import type { Forecast, LoadReport } from '../../../router/routing/forecast.ts';
import { Forecasts } from '../../../router/routing/forecasts.ts';
import { promptOf, predictedTokens } from '../../../router/routing/prompt.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const PROMPT_TOKENS = 2_560;
const CACHED_TOKENS = 2_500;
/** Agents report evictions as so much older, for events that come late. */
const LATE_SECONDS = 1;
const LOAD: LoadReport = {
  boot: 'engine-1',
  kvUse: 0,
  kvTokens: 1_000_000,
  running: 0,
  waiting: 0,
  runningUsage: true,
  prefixQueryTokens: 0,
};

/** A host: what it reports of a prompt that it was sent before, and of its evictions. */
type Host = Readonly<{
  cached(sentSeconds: number, now: number): number;
  /** Undefined without KV events. */
  evictedMs?(now: number): number | null;
}>;

const keepsAll: Host = { cached: () => CACHED_TOKENS };
const denies: Host = { cached: () => 0 };

/** Other users of the engine evict what was last used longer ago than this. */
function isShared(keptSeconds: number): Host {
  return {
    cached: (sent, now) => (now - sent < keptSeconds ? CACHED_TOKENS : 0),
    evictedMs: () => 1000 * (keptSeconds + LATE_SECONDS),
  };
}

/** The engine loses its whole cache at intervals. */
function isCleared(everySeconds: number): Host {
  const since = (now: number) => now % everySeconds;
  return {
    cached: (sent, now) => (now - sent < since(now) ? CACHED_TOKENS : 0),
    evictedMs: (now) => Math.ceil(1000 * (since(now) + LATE_SECONDS)),
  };
}

class Fleet {
  readonly #clock = new ManualClock();
  readonly #forecasts = new Forecasts({ clock: this.#clock, random: seededRandom(3) });
  readonly #shares = new CacheShares();
  /** When each conversation last went on. */
  readonly #sent = new Map<string, number>();

  get #now(): number {
    return this.#clock.monotonic() / 1000;
  }

  /**
   * Runs conversations of ten chunks on each of four hosts in turn, half a second for each answer.
   * Returns the alarms about the judged host, and the cached tokens that were expected of it. The
   * other hosts are never suspected.
   */
  run(judged: Host, { conversations, turns }: Record<'conversations' | 'turns', number>) {
    const hosts = Object.entries({ a: keepsAll, b: keepsAll, c: keepsAll, judged }).map(
      ([name, host]) => ({ name, host, forecast: this.#forecasts.join(name) as Forecast }),
    );
    let [alarms, expected] = [0, 0];
    for (const { host, forecast } of hosts) this.#report(host, forecast);
    for (let turn = 0; turn < turns * conversations; turn++) {
      for (const { name, host, forecast } of hosts) {
        const predicted = this.#answer(`${name} ${turn % conversations}`, host, forecast);
        const subject = { worker: name, agent: name, model: 'm' };
        const alarm = this.#shares.learn(subject, predicted);
        if (name !== 'judged') expect(alarm).toBeNull();
        else {
          alarms += alarm === null ? 0 : 1;
          expected += predicted.predicted;
        }
      }
    }
    return { alarms, expected };
  }

  #answer(conversation: string, host: Host, forecast: Forecast) {
    const text = `${conversation} goes on. `.repeat(1_024).slice(0, 10_250);
    const prompt = promptOf('m|salt', text);
    const query = { model: 'm', prompt, promptTokens: PROMPT_TOKENS };
    const flight = this.#forecasts.dispatched(query, forecast);
    const before = this.#sent.get(conversation);
    const reported = before === undefined ? 0 : host.cached(before, this.#now);
    this.#clock.advance(500);
    forecast.ended(flight, { promptTokens: PROMPT_TOKENS, cachedTokens: reported });
    this.#sent.set(conversation, this.#now);
    this.#report(host, forecast);
    return { predicted: predictedTokens(prompt, flight.ownDepth, PROMPT_TOKENS), reported };
  }

  #report({ evictedMs }: Host, forecast: Forecast): void {
    const events = evictedMs ? { kvEvents: { evictedMs: evictedMs(this.#now) } } : {};
    forecast.report({ ...LOAD, ...events });
  }
}

const TRAFFIC = { conversations: 10, turns: 20 };

test.each([0, 1_000, 5_000, null])(
  'a host that denies its hits is found as well if it reports evictions of %s ms ago',
  (evictedMs) => {
    const plain = new Fleet().run(denies, TRAFFIC);
    expect(plain.alarms).toBeGreaterThan(0);
    expect(new Fleet().run({ ...denies, evictedMs: () => evictedMs }, TRAFFIC)).toEqual(plain);
  },
);

test('one that reports evictions and no hits for a single conversation is found, too', () => {
  const traffic = { conversations: 1, turns: 80 };
  const { alarms, expected } = new Fleet().run({ ...denies, evictedMs: () => 0 }, traffic);
  expect(alarms).toBe(4);
  expect(expected).toBeGreaterThan(200_000);
});

test.each([
  ['keeps everything and reports no eviction', { ...keepsAll, evictedMs: () => null }],
  ['keeps prompts for less time than others, and longer than customers pause', isShared(30)],
  ['loses its whole cache now and then', isCleared(100)],
])('an honest host is not suspected that %s', (_, host) => {
  const { alarms, expected } = new Fleet().run(host, TRAFFIC);
  expect(alarms).toBe(0);
  expect(expected).toBeGreaterThan(100_000);
});
